import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * A package whose files are read. It is not installed: its dependencies are many, and none of its code is used.
 *
 * @typedef {object} PackedPackage
 * @property {string} name
 * @property {string} version
 * @property {string} integrity of the tarball
 */

/** @type {{ readonly [name in 'thirdweb' | 'rainbowkit' | 'luno']: PackedPackage }} */
export const packedPackages = {
  thirdweb: {
    name: 'thirdweb',
    version: '5.121.6',
    integrity: 'sha512-tZuYoxazy8GJz59IX/NhpQ5u+DzC/vo9/3ZgqxY9pZPDlnH0QZY8oJOX2m7L2DmtzTCqa5YWD+x9Xj18EQDiyw==',
  },
  rainbowkit: {
    name: '@rainbow-me/rainbowkit',
    version: '2.2.11',
    integrity: 'sha512-FHPsRHMBpuHHhuyKktAR13O9agmsUUunDnVEP4hG1dSZ2JojXLUSWyLG28VbGIJakHYylkNguiLFnqM/BM8ERA==',
  },
  luno: {
    name: '@luno-kit/core',
    version: '0.0.10',
    integrity: 'sha512-A6v7o+XNbITpvRxf4jfZms30BWEywu7dQZmilfuktYq3AJDugjpnkFA6cl7lPBxudPdqYCiTVfYM+snBTzpcxQ==',
  },
}

/**
 * Unpacks a package into a temporary folder.
 *
 * @param {PackedPackage} packed
 * @returns {URL} the folder of the package
 * @throws if the tarball is not the pinned one
 */
export function unpackPackage({ name, version, integrity }) {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-package-'))
  const output = execFileSync('npm', ['pack', `${name}@${version}`, '--silent', '--ignore-scripts'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const tarball = output.trim()
  const digest = `sha512-${createHash('sha512')
    .update(readFileSync(join(folder, tarball)))
    .digest('base64')}`
  if (digest !== integrity) throw new Error(`${name}@${version} has the integrity ${digest}.`)
  execFileSync('tar', ['xzf', tarball], { cwd: folder })
  // The module kind of the files, which packages state in subfolders of their own.
  const file = join(folder, 'package/package.json')
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), type: 'module' }))
  return pathToFileURL(join(folder, 'package/'))
}
