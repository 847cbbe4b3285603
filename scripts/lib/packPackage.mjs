import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { linkReadme } from '../release/linkReadme.mjs'
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
  const packed = await mkdtemp(join(tmpdir(), 'latchkey-pack-'))
  try {
    if (clientPackages.has(basename(folder))) await bundlePackage(folder, packed)
    else await copyPackage(folder, packed)
    // The file for script tags contains all packages.
    if (basename(folder) === 'script') await bundleScript(folder, join(packed, 'dist'))
    await writeReadme(folder, packed)
    return await packFolder(packed, target)
  } finally {
    await rm(packed, { recursive: true })
  }
}

/**
 * Copies a package. npm selects the files to pack.
 *
 * @param {string} folder
 * @param {string} packed
 */
function copyPackage(folder, packed) {
  // The folders of third-party programs have their own node_modules, which may be installed in the meantime.
  const filter = (/** @type {string} */ path) => !/^\.|(^|\/)(node_modules|\.installing)$/.test(relative(folder, path))
  return cp(folder, packed, { recursive: true, filter })
}

/**
 * @param {string} folder
 * @param {string} packed
 */
async function writeReadme(folder, packed) {
  const path = join(packed, 'README.md')
  if (!existsSync(path)) return
  const manifest = JSON.parse(await readFile(join(packed, 'package.json'), 'utf8'))
  await writeFile(path, linkReadme(await readFile(path, 'utf8'), { folder, packed, manifest }))
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
