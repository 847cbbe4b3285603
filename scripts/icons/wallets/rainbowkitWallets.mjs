import { readFileSync, readdirSync } from 'node:fs'
import { toAndroidStore, toChromeStore, toDeepLink, toIosStore, toReverseDns } from './links.mjs'

/**
 * Reads the wallets of the package @rainbow-me/rainbowkit (MIT). Its modules build functions, so their texts are searched.
 *
 * @param {URL} folder of the package
 * @returns {readonly import('./mergeWallets.mjs').SourceWallet[]}
 */
export function readRainbowkitWallets(folder) {
  const root = new URL('dist/wallets/walletConnectors/', folder)
  const modules = readdirSync(root)
    .filter((name) => /^chunk-\w+\.js$/.test(name))
    .map((name) => readFileSync(new URL(name, root), 'utf8'))
  const found = modules.flatMap(toSourceWallet)
  return found.filter(({ id }, place) => found.findIndex((other) => other.id === id) === place)
}

/**
 * @param {string} text of a module
 * @returns {readonly import('./mergeWallets.mjs').SourceWallet[]}
 */
function toSourceWallet(text) {
  const [, id, name] = /\n\s+id: "([^"]+)",\n\s+name: "([^"]+)"/.exec(text) ?? []
  if (id === undefined || name === undefined) return []
  const quoted = (/** @type {string} */ key) => new RegExp(`\\n\\s+${key}: "([^"]+)"`).exec(text)?.[1]
  const [, deepLink] = /[`"]([a-z][a-z0-9+.-]*:\/\/[^`"$?]*?)\/?wc\?uri=/.exec(text) ?? []
  return [
    {
      id,
      name,
      facts: {
        rdns: toReverseDns(quoted('rdns')),
        mobile: toDeepLink(deepLink),
        chrome: toChromeStore(quoted('chrome')),
        ios: toIosStore(quoted('ios')),
        android: toAndroidStore(quoted('android')),
      },
    },
  ]
}
