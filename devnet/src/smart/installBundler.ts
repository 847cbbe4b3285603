import { fileURLToPath } from 'node:url'
import { installProgram, isProgramInstalled, type InstallOptions, type Program } from '../processes/installProgram.ts'

/** The bundler is a third-party program under the GPL. */
export const bundlerProgram: Program = {
  folder: fileURLToPath(new URL('../../bundler/', import.meta.url)),
  name: 'bundler for smart accounts',
  duration: 'about a minute',
}

/** True if the bundler is installed as its lockfile says. */
export function isBundlerInstalled(): Promise<boolean> {
  return isProgramInstalled(bundlerProgram)
}

/**
 * Installs the bundler. Concurrent calls, including those of other processes, wait for the first one.
 *
 * @throws Error with a sentence that says what to do
 * @example await installBundler({ onProgress: console.log })
 */
export function installBundler(options?: InstallOptions): Promise<void> {
  return installProgram(bundlerProgram, options)
}
