// Measures from the pairing URI to the settled session, with both peers on the local relay and its real database.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryStorage } from '@latchkey/core'
import { startServerProcess } from '@latchkey/devnet'
import { walletConnect } from '@latchkey/walletconnect'
import { createWallet } from '@latchkey/walletconnect/wallet'
import { WebSocket } from 'ws'
import { build } from '../build.mjs'
import { root } from '../lib/root.mjs'
import { getMedian } from './site.mjs'

const warmUp = 5
const rounds = 30
const account = 'eip155:1:0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** @returns {Promise<import('../bench.mjs').Figure[]>} */
export async function measure() {
  await build()
  const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-bench-pairing-'))
  const env = { PORT: '0', DATA_DIR: dataDir, LIMITS: 'local', LOG_LEVEL: 'warn' }
  const server = await startServerProcess({ entry: join(root, 'server/dist/main.js'), env })
  const options = {
    relayUrl: `${server.url.replace(/^http/, 'ws')}/relay`,
    projectId: 'ab'.repeat(16),
    metadata: { name: 'Bench', description: '', url: 'https://bench.example', icons: [] },
    createSocket: (/** @type {string} */ url) => new WebSocket(url),
  }
  const wallet = createWallet({ ...options, storage: memoryStorage() })
  wallet.listen({ proposal: (proposal) => void wallet.approve(proposal, { accounts: [account] }) })
  try {
    /** @type {number[]} */
    const times = []
    for (let round = 0; round < warmUp + rounds; round += 1) {
      const connector = walletConnect({ ...options, storage: memoryStorage() })
      times.push(await measureSettlement(connector, wallet))
      await connector.disconnect()
    }
    const counted = times.slice(warmUp)
    return [
      { name: 'pairing link made to session settled, median', value: getMedian(counted), unit: 'ms', budget: 60 },
      { name: 'the slowest of them', value: Math.max(...counted), unit: 'ms' },
    ]
  } finally {
    wallet.close()
    await server.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/**
 * @param {import('@latchkey/core').Connector} connector
 * @param {import('@latchkey/walletconnect/wallet').Wallet} wallet
 */
async function measureSettlement(connector, wallet) {
  let linkedAt = 0
  await connector.connect({
    networks: [network],
    signal: new AbortController().signal,
    onUri(uri) {
      linkedAt = performance.now()
      void wallet.pair(uri)
    },
  })
  return performance.now() - linkedAt
}

/** @type {import('@latchkey/protocol').Network} */
const network = {
  id: 1,
  caipNetworkId: 'eip155:1',
  chainNamespace: 'eip155',
  name: 'Ethereum',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
}
