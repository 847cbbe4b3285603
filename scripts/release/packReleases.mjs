import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packPackage } from '../lib/packPackage.mjs'
import { root } from '../lib/root.mjs'

/**
 * The used part of a package.json.
 *
 * @typedef {{
 *   name: string
 *   version: string
 *   private?: boolean
 *   exports?: Record<string, unknown>
 *   peerDependencies?: Record<string, string>
 * }} Manifest
 */

/** @typedef {{ manifest: Manifest, archive: string }} Release */

/**
 * Packs all packages that are not private. Requires the build.
 *
 * @param {string} target the folder of the archives
 * @returns {Promise<Release[]>}
 */
export async function packReleases(target) {
  const folders = [...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`), 'server', 'devnet']
  const releases = []
  for (const folder of folders) {
    /** @type {Manifest} */
    const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
    if (manifest.private === true) continue
    const { archive } = await packPackage(join(root, folder), target)
    releases.push({ manifest, archive })
  }
  return releases
}
