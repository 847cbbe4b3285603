import { readFileSync, readdirSync } from 'node:fs'
import { toChromeStore } from './links.mjs'

/**
 * Reads the wallets of the package @luno-kit/core (MIT): extensions for Polkadot. Its module builds objects, so its text is searched.
 *
 * @param {URL} folder of the package
 * @returns {readonly import('./mergeWallets.mjs').SourceWallet[]}
 */
export function readLunoWallets(folder) {
  const root = new URL('dist/', folder)
  const text = readdirSync(root)
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(new URL(name, root), 'utf8'))
    .concat(readFileSync(new URL('connectors/index.js', root), 'utf8'))
    .join('\n')
  const pattern = /id:"([a-z-]+)",name:"([^"]+)"[^}]*?links:\{browserExtension:"([^"]+)"/g
  return [...text.matchAll(pattern)].map(([, id = '', name = '', extension]) => ({
    id,
    name,
    facts: { chrome: toChromeStore(extension) },
  }))
}
