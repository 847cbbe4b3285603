import { installSimulatedExtension } from '@latchkey/testkit/playwright'

/** A key of a development chain. It is funded there only. */
const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

/**
 * Installs a simulated extension for an app of a template, and blocks the public nodes that the app names.
 *
 * @param {import('playwright').Page} page
 * @param {string} rpcUrl a local chain, in place of each network of the app
 */
export async function installDevWallet(page, rpcUrl) {
  await page.route(/^https:/, (route) => route.abort())
  await installSimulatedExtension(page, {
    privateKeys: [key],
    rpcUrls: { 1: rpcUrl, 11_155_111: rpcUrl },
    chainId: 1,
    info: { rdns: 'dev.wallet', name: 'Dev Wallet' },
  })
}
