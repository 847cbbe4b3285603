import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { bundlePackage, bundleScript } from './bundlePackage.mjs'

const run = promisify(execFile)

/** The packages that run in a page. The others run in Node.js, and are published as tsc writes them. */
const clientPackages = new Set(
  'adapter-kit bitcoin core elements embedded evm modal polkadot protocol react solana script svelte vue walletconnect'.split(
    ' ',
  ),
)

/** @typedef {{ archive: string, files: { path: string, size: number }[] }} Packed */

/**
 * Packs a package as it is published. Requires the build.
 *
 * @param {string} folder the package
 * @param {string} target the folder of the archive
 * @returns {Promise<Packed>}
 */
export async function packPackage(folder, target) {
  if (!clientPackages.has(basename(folder))) return packFolder(folder, target)
  const bundled = await mkdtemp(join(tmpdir(), 'latchkey-pack-'))
  try {
    await bundlePackage(folder, bundled)
    // The file for script tags contains all packages.
    if (basename(folder) === 'script') await bundleScript(folder, join(bundled, 'dist'))
    return await packFolder(bundled, target)
  } finally {
    await rm(bundled, { recursive: true })
  }
}

/**
 * @param {string} folder
 * @param {string} target
 * @returns {Promise<Packed>}
 */
async function packFolder(folder, target) {
  const args = ['pack', '--json', '--pack-destination', target]
  const { stdout } = await run('npm', args, { cwd: folder, maxBuffer: 16e6 })
  const [{ filename, files }] = JSON.parse(stdout)
  return { archive: join(target, filename), files }
}
