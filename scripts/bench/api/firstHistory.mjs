// Measures how long it takes until the history of an address shows its first transaction, and until its balances are known, if no
// client has requested the address before.
import { setTimeout as sleep } from 'node:timers/promises'
import { startAnvil } from '@latchkey/devnet'
import { startTestPostgres } from '@latchkey/server/testing'
import { requestOne, fillChain, getReceiver } from './chain.mjs'
import { startCountingNode } from './countingNode.mjs'
import { startServer } from './server.mjs'

/** @typedef {import('../../bench.mjs').Figure} Figure */

const chainId = 31_337
const projectId = 'ab'.repeat(16)
const blocks = 2_000
/** A hosted node responds after about so many milliseconds. */
const hostedLatencyMs = 100
const measured = 20
const budgetMs = 1_000
/** Three times the latency of a hosted node. */
const balancesBudgetMs = 300

/** @returns {Promise<Figure[]>} */
export async function measureFirstHistory() {
  const anvil = await startAnvil({ chainId, port: 0 })
  try {
    await fillChain(anvil.rpcUrl, blocks)
    const addresses = await listReceivers(anvil.rpcUrl)
    return [
      ...(await measureWith(anvil.rpcUrl, { addresses, latencyMs: 0 })),
      ...(await measureWith(anvil.rpcUrl, { addresses, latencyMs: hostedLatencyMs })),
    ]
  } finally {
    await anvil.close()
  }
}

/**
 * Lists addresses that received tokens.
 *
 * @param {string} rpcUrl
 */
async function listReceivers(rpcUrl) {
  /** @type {string[]} */
  const found = []
  for (let index = 0; found.length < 2 * measured; index += 1) {
    const topics = [null, null, `0x${getReceiver(index).slice(2).padStart(64, '0')}`]
    const logs = await requestOne(rpcUrl, 'eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest', topics }])
    if (logs.length > 0) found.push(getReceiver(index))
  }
  return found
}

/**
 * @param {string} rpcUrl
 * @param {{ addresses: readonly string[], latencyMs: number }} options
 * @returns {Promise<Figure[]>}
 */
async function measureWith(rpcUrl, { addresses, latencyMs }) {
  const postgres = await startTestPostgres()
  const node = await startCountingNode(rpcUrl, { latencyMs })
  try {
    const chain = {
      caipNetworkId: `eip155:${chainId}`,
      rpcUrls: [node.url],
      index: { from: 0, addresses: 'requested' },
    }
    const server = await startServer(postgres.url, chain)
    try {
      await waitUntilIndexed(server.url, Number(await requestOne(rpcUrl, 'eth_blockNumber', [])))
      const where = `node ${latencyMs} ms away, p95`
      const rows = await measureEach(addresses.slice(0, measured), (address) => waitForFirstRow(server.url, address))
      const balances = await measureEach(addresses.slice(measured), (address) => readBalances(server.url, address))
      return [
        { name: `first history row of a new address, ${where}`, ...rows, unit: 'ms', budget: budgetMs },
        { name: `first balances of a new address, ${where}`, ...balances, unit: 'ms', budget: balancesBudgetMs },
      ]
    } finally {
      await server.close()
    }
  } finally {
    await node.close()
    await postgres.close()
  }
}

/**
 * @param {readonly string[]} addresses
 * @param {(address: string) => Promise<{ milliseconds: number, requests: number }>} measureAddress
 */
async function measureEach(addresses, measureAddress) {
  /** @type {number[]} */
  const took = []
  let requests = 0
  for (const address of addresses) {
    const result = await measureAddress(address)
    took.push(result.milliseconds)
    requests += result.requests
    // The next address arrives at any time between two polls of the chain.
    await sleep(137)
  }
  took.sort((a, b) => a - b)
  const at = (/** @type {number} */ share) => took[Math.ceil(took.length * share) - 1] ?? Infinity
  const note = `p50 ${at(0.5).toFixed(0)} ms, ${(requests / took.length).toFixed(1)} requests, ${took.length} addresses`
  return { value: at(0.95), note }
}

/**
 * @param {string} url
 * @param {string} address
 */
async function readBalances(url, address) {
  const begun = performance.now()
  const query = `projectId=${projectId}&chainId=eip155:${chainId}&currency=usd`
  const response = await fetch(`${url}/v1/account/${address}/balance?${query}`)
  const { balances } = /** @type {{ balances: unknown[] }} */ (await response.json())
  if (balances.length === 0) throw new Error(`${address} has no balances.`)
  return { milliseconds: performance.now() - begun, requests: 1 }
}

/**
 * Requests a history until it has a row, as the account view does while older transactions are being indexed.
 *
 * @param {string} url
 * @param {string} address
 */
async function waitForFirstRow(url, address) {
  const begun = performance.now()
  for (let requests = 1; ; requests += 1) {
    const response = await fetch(
      `${url}/v1/account/${address}/history?projectId=${projectId}&chainId=eip155:${chainId}`,
    )
    const { data = [] } = /** @type {{ data?: unknown[] }} */ (await response.json())
    if (data.length > 0) return { milliseconds: performance.now() - begun, requests }
    if (requests > 100) throw new Error(`The history of ${address} stays empty.`)
    await sleep(100)
  }
}

/**
 * @param {string} url
 * @param {number} head
 */
async function waitUntilIndexed(url, head) {
  for (;;) {
    const { index } = /** @type {{ index: { head: number }[] }} */ (await (await fetch(`${url}/health`)).json())
    if ((index[0]?.head ?? -1) >= head) return
    await sleep(50)
  }
}
