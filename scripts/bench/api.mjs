// Measures the data service: indexing speed, and response times with the generated data and with ten times as much.
// `--blocks=10000` creates a smaller chain. `--soak=60` sends requests for 60 minutes and watches the memory.
// `--only=backfill` measures only how fast blocks of 170 transactions are indexed, `--backfill=500` with fewer of them.
// `--only=scaling` measures one, two and four processes of the data service and of the auth service.
// `--only=history` measures only the first history row of an address that no client has requested before.
// `--only=users` lets 10,000 users on 20 chains read for ten minutes; `--users=1000` and `--seconds=120` change that.
// With `--soak=60` they read for an hour; `--users=60000` then keeps the load.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import { startAnvil } from '@latchkey/devnet'
import { startTestPostgres } from '@latchkey/server/testing'
import { build } from '../build.mjs'
import { root } from '../lib/root.mjs'
import { accounts, requestOne, fillChain, getReceiver } from './api/chain.mjs'
import { startServer } from './api/server.mjs'
import { measureUsers } from './api/users.mjs'
import { measureBackfill } from './api/backfill.mjs'
import { measureFirstHistory } from './api/firstHistory.mjs'
import { measureScaling } from './api/scaling.mjs'
import { drawMemory, sampleMemory } from './memory.mjs'
import { residentBytes } from './relay/processes.mjs'

/** @typedef {import('../bench.mjs').Figure} Figure */

const chainId = 31_337
const projectId = 'ab'.repeat(16)
const load = { rate: 500, seconds: 20 }
/** Upper limit for the 99th percentile of history pages and balances, in milliseconds. */
const responseLimitMs = 5

/**
 * @param {Readonly<Record<string, string>>} options
 * @returns {Promise<Figure[]>}
 */
export async function measure(options = {}) {
  const { blocks = '100000', backfill = '1000', only = '', soak, users = '10000', seconds = '600' } = options
  await build()
  // Ten minutes are too long for each run of the bench.
  if (only === 'users') {
    const time = soak === undefined ? Number(seconds) : 60 * Number(soak)
    return measureUsers({ users: Number(users), seconds: time })
  }
  const parts = {
    backfill: () => measureBackfill({ blocks: Number(backfill) }),
    history: measureFirstHistory,
    scaling: measureScaling,
    service: () => measureService({ blocks, soak }),
  }
  /** @type {Figure[]} */
  const figures = []
  for (const [name, measurePart] of Object.entries(parts)) {
    if (only === '' || only === name) figures.push(...(await measurePart()))
  }
  return figures
}

/**
 * @param {{ blocks: string, soak: string | undefined }} options
 * @returns {Promise<Figure[]>}
 */
async function measureService({ blocks, soak }) {
  const postgres = await startTestPostgres()
  const anvil = await startAnvil({ chainId, port: 0 })
  try {
    const { transfers } = await fillChain(anvil.rpcUrl, Number(blocks))
    const server = await startServer(postgres.url, {
      caipNetworkId: `eip155:${chainId}`,
      rpcUrls: [anvil.rpcUrl],
      index: { from: 0 },
    })
    try {
      const indexing = await measureIndexing(server, postgres.url, anvil.rpcUrl, transfers)
      const once = await measureResponses(server.url, '')
      const proxy = await measureProxy(server.url, anvil.rpcUrl)
      await multiply(postgres.url, 10)
      const grown = await measureResponses(server.url, ', with ten times the data')
      const memory = soak === undefined ? [] : await measureSoak(server, Number(soak))
      return [...indexing, ...once, ...grown, ...proxy, ...memory]
    } finally {
      await server.close()
    }
  } finally {
    await anvil.close()
    await postgres.close()
  }
}

/**
 * @param {{ url: string, begun: number }} server
 * @param {string} databaseUrl
 * @param {string} rpcUrl
 * @param {number} transfers
 * @returns {Promise<Figure[]>}
 */
async function measureIndexing({ url, begun }, databaseUrl, rpcUrl, transfers) {
  const head = Number(await requestOne(rpcUrl, 'eth_blockNumber', []))
  for (;;) {
    const response = await fetch(`${url}/health`)
    const { index } = /** @type {{ index: { head: number }[] }} */ (await response.json())
    if ((index[0]?.head ?? -1) >= head) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const seconds = (performance.now() - begun) / 1_000
  const counted = await query(databaseUrl, 'select count(*)::int as count from index_transfer where kind = 1')
  const note = `${transfers} transfers in ${head} blocks, ${seconds.toFixed(1)} s`
  return [
    { name: 'indexing', value: transfers / seconds, unit: 'transfers/s', atLeast: 5_000, note },
    { name: 'transfers missing or double', value: Math.abs(transfers - counted[0].count), unit: '', budget: 0 },
  ]
}

/**
 * Multiplies the indexed data, for the requested addresses and for others.
 *
 * @param {string} databaseUrl
 * @param {number} times
 */
async function multiply(databaseUrl, times) {
  for (const table of ['index_transaction', 'index_transfer', 'index_activity']) {
    const rest = {
      index_transaction: 'position, hash, mined_at, sender, receiver, created, value, nonce, method, succeeded',
      index_transfer: 'position, ordinal, kind, token, sender, receiver, token_id, amount',
      index_activity: 'position, address, mined_at',
    }[table]
    await query(
      databaseUrl,
      `insert into ${table} (chain, block, ${rest})
       select chain, block + copy * 10000000, ${rest} from ${table}, generate_series(1, ${times - 1}) as copy`,
    )
  }
  await query(databaseUrl, 'analyze')
}

/**
 * @param {string} url
 * @param {string} when
 * @returns {Promise<Figure[]>}
 */
async function measureResponses(url, when) {
  const addresses = Array.from({ length: 1_000 }, (_, index) => getReceiver(Math.floor((index * accounts) / 1_000)))
  const paths = {
    'history page': addresses.map(
      (each) => `/v1/account/${each}/history?projectId=${projectId}&chainId=eip155:${chainId}`,
    ),
    balance: addresses.map((each) => `/v1/account/${each}/balance?projectId=${projectId}&currency=usd`),
  }
  /** @type {Figure[]} */
  const figures = []
  for (const [name, list] of Object.entries(paths)) {
    // Warms the caches with slow requests.
    await runLoad(url, list, 200, 5)
    const { p50, p99, failed } = await runLoad(url, list, load.rate, load.seconds)
    const note = `at ${load.rate}/s, p50 ${p50.toFixed(1)} ms, ${failed} failed`
    figures.push({ name: `${name}${when}, p99`, value: p99, unit: 'ms', budget: responseLimitMs, note })
  }
  return figures
}

/**
 * @param {string} url
 * @param {readonly string[]} paths
 * @param {number} rate
 * @param {number} seconds
 * @returns {Promise<{ p50: number, p99: number, failed: number, requested: number }>}
 */
async function runLoad(url, paths, rate, seconds) {
  const args = [join(root, 'scripts/bench/api/load.mjs'), url, String(rate), String(seconds)]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(paths.join('\n'))
  let text = ''
  for await (const chunk of child.stdout) text += String(chunk)
  return JSON.parse(text)
}

/**
 * Measures the overhead of RPC requests through the server.
 *
 * @param {string} url
 * @param {string} rpcUrl
 * @returns {Promise<Figure[]>}
 */
async function measureProxy(url, rpcUrl) {
  const request = { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [getReceiver(1), 'latest'] }
  const time = async (/** @type {string} */ place) => {
    /** @type {number[]} */
    const took = []
    for (let each = 0; each < 1_000; each += 1) {
      const begun = performance.now()
      const options = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request),
      }
      await (await fetch(place, options)).text()
      took.push(performance.now() - begun)
    }
    return took.toSorted((a, b) => a - b)[500] ?? Infinity
  }
  const [direct, through] = [
    await time(rpcUrl),
    await time(`${url}/v1?chainId=eip155:${chainId}&projectId=${projectId}`),
  ]
  const note = `${through.toFixed(2)} ms through the server, ${direct.toFixed(2)} ms without`
  return [{ name: 'proxy, what it adds, p50', value: through - direct, unit: 'ms', budget: 0.5, note }]
}

/**
 * @param {{ url: string, pid: number }} server
 * @param {number} minutes
 * @returns {Promise<Figure[]>}
 */
async function measureSoak({ url, pid }, minutes) {
  const paths = Array.from({ length: 1_000 }, (_, index) =>
    index % 2 === 0
      ? `/v1/account/${getReceiver(index)}/history?projectId=${projectId}`
      : `/v1/account/${getReceiver(index)}/balance?projectId=${projectId}&currency=usd`,
  )
  await runLoad(url, paths, 100, 60)
  const before = residentBytes(pid)
  const memory = sampleMemory(pid)
  await runLoad(url, paths, 100, minutes * 60).finally(memory.stop)
  const after = residentBytes(pid)
  const mb = (/** @type {number} */ bytes) => Math.round(bytes / 1_048_576)
  const note = `${mb(before)} to ${mb(after)} MB in ${minutes} minutes at 100/s`
  const lines = [drawMemory('data service', memory.samples)]
  return [
    {
      name: 'memory after the soak',
      value: (100 * after) / before,
      unit: '%',
      budget: 115,
      note,
      lines,
      isOptional: true,
    },
  ]
}

/**
 * @param {string} databaseUrl
 * @param {string} statement
 */
async function query(databaseUrl, statement) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
