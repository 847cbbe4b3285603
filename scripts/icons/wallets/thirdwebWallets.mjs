import { readdirSync } from 'node:fs'
import { toChromeStore, toDeepLink, toIosStore, toAndroidStore, toPage, toReverseDns } from './links.mjs'

/**
 * @typedef {object} ThirdwebWallet an entry of the package
 * @property {string} id
 * @property {string} name
 * @property {string} homepage
 * @property {string | null} rdns
 * @property {{ ios: string | null, android: string | null, chrome: string | null, browser: string | null }} app
 * @property {{ native: string | null, universal: string | null }} mobile
 * @property {{ native: string | null, universal: string | null }} desktop
 */

const generated = 'dist/esm/wallets/__generated__/'

/**
 * Reads the wallets of the package thirdweb (Apache-2.0). All of them can be connected over WalletConnect or announce themselves in
 * the page (EIP-6963).
 *
 * @param {URL} folder of the package
 * @returns {Promise<readonly import('./mergeWallets.mjs').SourceWallet[]>} the most used ones first
 */
export async function readThirdwebWallets(folder) {
  const { default: infos } = await import(new URL(`${generated}wallet-infos.js`, folder).href)
  /** @type {readonly string[]} */
  const order = infos.map((/** @type {{ id: string }} */ { id }) => id)
  const root = new URL(`${generated}wallet/`, folder)
  const wallets = await Promise.all(
    readdirSync(root).map(async (id) => {
      /** @type {{ wallet: ThirdwebWallet }} */
      const { wallet } = await import(new URL(`${id}/index.js`, root).href)
      return wallet
    }),
  )
  return wallets
    .toSorted((a, b) => placeOf(order, a) - placeOf(order, b) || a.id.localeCompare(b.id))
    .map(toSourceWallet)
}

/**
 * @param {readonly string[]} order
 * @param {ThirdwebWallet} wallet
 */
function placeOf(order, { id }) {
  const place = order.indexOf(id)
  return place === -1 ? order.length : place
}

/**
 * @param {ThirdwebWallet} wallet
 * @returns {import('./mergeWallets.mjs').SourceWallet}
 */
function toSourceWallet({ id, name, homepage, rdns, app, mobile, desktop }) {
  return {
    id,
    name: name.replaceAll(/\s+/g, ' ').trim(),
    facts: {
      homepage: toPage(homepage),
      rdns: toReverseDns(rdns),
      mobile: toDeepLink(mobile.native),
      desktop: toDeepLink(desktop.native),
      universal: toPage(mobile.universal),
      chrome: toChromeStore(app.chrome),
      ios: toIosStore(app.ios),
      android: toAndroidStore(app.android),
    },
  }
}
