import { fileURLToPath } from 'node:url'
import { installFolder, isFolderInstalled, type InstallFolderOptions } from '../processes/installFolder.ts'

/** The bundler is a third-party program under the GPL. It has its own folder outside of the workspaces. */
export const bundlerFolder = fileURLToPath(new URL('../../bundler/', import.meta.url))

/** `folder` is the repository's own by default. */
export type InstallOptions = Partial<Omit<InstallFolderOptions, 'name'>>

/** True if the bundler is installed as its lockfile says. */
export function isBundlerInstalled(folder = bundlerFolder): Promise<boolean> {
  return isFolderInstalled(folder)
}

/**
 * Installs the bundler. Concurrent calls, also of other processes, wait for the first one.
 *
 * @throws Error with a sentence that says what to do
 * @example await installBundler({ onProgress: console.log })
 */
export function installBundler({ folder = bundlerFolder, ...options }: InstallOptions = {}): Promise<void> {
  return installFolder({ ...options, folder, name: 'the bundler for smart accounts' })
}
