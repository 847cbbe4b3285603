// Measures session settlement and request round trips of our client and of the last Apache-licensed client. Each
// connects to a peer of its own kind, one after the other over the same relay process.
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

/**
 * A dapp and a wallet on the same relay.
 *
 * @typedef {object} Pair
 * @property {() => Promise<Settled>} settle pairs and settles a session, which the wallet approves immediately
 * @property {() => Promise<void>} close
 *
 * @typedef {object} Settled
 * @property {number} milliseconds from the wallet's receipt of the URI to the dapp's session
 * @property {() => Promise<unknown>} request sends a request; the wallet responds immediately
 * @property {() => Promise<void>} end
 */

const peer = 'sign-client 2.21.8'
const warmUp = 5
const sessions = 30
const requests = 200
const projectId = 'ab'.repeat(16)
const chain = 'eip155:1'
const account = /** @type {const} */ (`${chain}:0x70997970C51812dc3A010C7d01b50e0d17dc79C8`)
const request = { method: 'personal_sign', params: ['0x4c6174636873c', account] }
const reply = `0x${'5'.repeat(130)}`
/** @param {string} name */
const createMetadata = (name) => ({ name, description: '', url: `https://${name}.example`, icons: [] })

/** @returns {Promise<import('../bench.mjs').Figure[]>} */
export async function measure() {
  await build()
  const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-bench-walletconnect-'))
  const env = { PORT: '0', DATA_DIR: dataDir, LIMITS: 'local', LOG_LEVEL: 'warn' }
  const server = await startServerProcess({ entry: join(root, 'server/dist/main.js'), env })
  const relayUrl = `${server.url.replace(/^http/, 'ws')}/relay`
  try {
    const ours = await measurePair(makeOurs(relayUrl))
    const theirs = await measurePair(await makeTheirs(relayUrl))
    const draw = (/** @type {string} */ name, /** @type {string} */ group) => ({
      bar: { plot: 'Our client and its peer, medians', name, group },
    })
    const [settled, responded] = ['session settled', 'request to response']
    return [
      { name: 'ours: session settled, median', value: ours.settle, unit: 'ms', budget: 25, ...draw('ours', settled) },
      {
        name: 'ours: request to response, median',
        value: ours.request,
        unit: 'ms',
        budget: 2.5,
        ...draw('ours', responded),
      },
      { name: `${peer}: session settled, median`, value: theirs.settle, unit: 'ms', ...draw(peer, settled) },
      { name: `${peer}: request to response, median`, value: theirs.request, unit: 'ms', ...draw(peer, responded) },
    ]
  } finally {
    await server.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** @param {Pair} pair */
async function measurePair(pair) {
  const settling = []
  const durations = []
  for (let count = 0; count < warmUp + sessions; count += 1) {
    const session = await pair.settle()
    settling.push(session.milliseconds)
    if (count === warmUp + sessions - 1) {
      for (let number = 0; number < warmUp + requests; number += 1) durations.push(await timeOf(session.request))
    }
    await session.end()
  }
  await pair.close()
  return { settle: getMedian(settling.slice(warmUp)), request: getMedian(durations.slice(warmUp)) }
}

/** @param {() => Promise<unknown>} sendRequest */
async function timeOf(sendRequest) {
  const since = performance.now()
  const given = await sendRequest()
  if (given !== reply) throw new Error('The wallet returned something else.')
  return performance.now() - since
}

/**
 * @param {string} relayUrl
 * @returns {Pair}
 */
function makeOurs(relayUrl) {
  const options = { relayUrl, projectId, createSocket: (/** @type {string} */ url) => new WebSocket(url) }
  const wallet = createWallet({ ...options, metadata: createMetadata('wallet'), storage: memoryStorage() })
  wallet.listen({
    proposal: (proposal) => void wallet.approve(proposal, { accounts: [account] }),
    request: (request) => void wallet.respond(request, { result: reply }),
  })
  const connector = walletConnect({ ...options, metadata: createMetadata('dapp'), storage: memoryStorage() })
  return {
    async settle() {
      let since = 0
      const [connection] = await connector.connect({
        networks: [network],
        signal: new AbortController().signal,
        onUri(uri) {
          since = performance.now()
          void wallet.pair(uri)
        },
      })
      const milliseconds = performance.now() - since
      const sendRequest = () => connection.provider.request(request)
      return { milliseconds, request: sendRequest, end: () => connector.disconnect() }
    },
    close: async () => wallet.close(),
  }
}

/**
 * @param {string} relayUrl
 * @returns {Promise<Pair>}
 */
async function makeTheirs(relayUrl) {
  // Prevents requests to other hosts and allows both peers in one process. The client reads it when it is loaded.
  Object.assign(process.env, { IS_VITEST: 'true', DISABLE_GLOBAL_CORE: 'true' })
  const { SignClient } = await import('sign-client-2.21')
  const options = { relayUrl, projectId, telemetryEnabled: false, logger: 'silent' }
  const signConfig = { disableRequestQueue: true }
  const storage = theirStorage
  const wallet = await SignClient.init({
    ...options,
    signConfig,
    metadata: createMetadata('wallet'),
    storage: storage(),
  })
  const dapp = await SignClient.init({ ...options, metadata: createMetadata('dapp'), storage: storage() })
  const scope = { chains: [chain], methods: [request.method], events: ['accountsChanged'] }
  /** @type {Promise<unknown> | undefined} */
  let approving
  wallet.on('session_proposal', ({ id }) => {
    approving = wallet.approve({ id, namespaces: { eip155: { ...scope, accounts: [account] } } })
  })
  wallet.on('session_request', ({ id, topic }) => {
    void wallet.respond({ topic, response: { id, jsonrpc: '2.0', result: reply } })
  })
  return {
    async settle() {
      const { uri = '', approval } = await dapp.connect({ optionalNamespaces: { eip155: scope } })
      const since = performance.now()
      void wallet.pair({ uri })
      const { topic } = await approval()
      const milliseconds = performance.now() - since
      // It rejects if the wallet is still processing it.
      await approving
      return {
        milliseconds,
        request: () => dapp.request({ topic, chainId: chain, request }),
        async end() {
          const ended = new Promise((resolve) => wallet.once('session_delete', resolve))
          await dapp.disconnect({ topic, reason: { code: 6000, message: 'User disconnected.' } })
          await ended
        },
      }
    },
    async close() {
      for (const client of [dapp, wallet]) {
        client.core.heartbeat.stop()
        await client.core.relayer.transportClose()
      }
    },
  }
}

/** In-memory storage with the interface of their client. */
function theirStorage() {
  /** @type {Map<string, unknown>} */
  const values = new Map()
  const storage = {
    getKeys: async () => [...values.keys()],
    getEntries: async () => structuredClone([...values]),
    getItem: async (/** @type {string} */ key) => structuredClone(values.get(key)),
    setItem: async (/** @type {string} */ key, /** @type {unknown} */ value) =>
      void values.set(key, structuredClone(value)),
    removeItem: async (/** @type {string} */ key) => void values.delete(key),
  }
  // Their client names the expected type of each value.
  return /** @type {NonNullable<Parameters<typeof import('sign-client-2.21').SignClient.init>[0]>['storage']} */ (
    storage
  )
}

/** @type {import('@latchkey/protocol').Network} */
const network = {
  id: 1,
  caipNetworkId: chain,
  chainNamespace: 'eip155',
  name: 'Ethereum',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
}
