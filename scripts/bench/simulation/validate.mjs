// Runs the server with users on two local chains, and compares what they cost with the model.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readArtifact, startAnvil } from '@latchkey/devnet'
import { startTestPostgres } from '@latchkey/server/testing'
import { encodeDeployData, encodeFunctionData, parseAbi } from 'viem'
import { requestOne, waitForContract, getReceiver } from '../api/chain.mjs'
import { startCountingNode } from '../api/countingNode.mjs'
import { startServer } from '../api/server.mjs'
import { bytesPerRow, estimateChain, sumUsage } from './model.mjs'
import { createRandom, createRankChoice, drawPower } from './random.mjs'

/** @typedef {import('../../bench.mjs').Figure} Figure */
/** @typedef {import('./model.mjs').ChainActivity} ChainActivity */
/** @typedef {import('./model.mjs').Design} Design */
/** @typedef {{ at: number, user: number, chain: number }} Session */
/** @typedef {{ chainId: number, rpcUrl: string, token: string, sender: string, close: () => Promise<unknown> }} LocalChain */
/** @typedef {{ users: number, seconds: number, seed: number }} Options */
/** @typedef {ReturnType<typeof createPlan>} Plan */

const projectId = 'ab'.repeat(16)
const chainIds = [31_337, 31_338]
/** Transactions of a block: payments between strangers, and transfers of tokens to users. */
const [strangersPerBlock, usersPerBlock] = [12, 2]
const oldTransactionsPerUser = 10
/** A session reads balances and the history. Balances are cached for half a minute, so that it reads once. */
const minutesPerSession = 0.5
const toQuantity = (/** @type {number} */ value) => `0x${value.toString(16)}`
const sum = (/** @type {readonly number[]} */ values) => values.reduce((total, each) => total + each, 0)

/**
 * @param {Options} options
 * @returns {Promise<Figure[]>}
 */
export async function validateModel(options) {
  /** @type {Figure[]} */
  const figures = []
  for (const design of /** @type {const} */ (['all', 'requested']))
    figures.push(...(await validateDesign(design, options)))
  return figures
}

/**
 * @param {Design} design
 * @param {Options} options
 * @returns {Promise<Figure[]>}
 */
async function validateDesign(design, options) {
  const plan = createPlan(options)
  const postgres = await startTestPostgres()
  const chains = await Promise.all(chainIds.map((chainId, index) => startChain(chainId, plan, index)))
  const nodes = await Promise.all(chains.map(({ rpcUrl }) => startCountingNode(rpcUrl)))
  try {
    const config = chains.map(({ chainId }, index) => ({
      caipNetworkId: `eip155:${chainId}`,
      rpcUrls: [nodes[index]?.url ?? ''],
      index: { from: 0, addresses: design },
    }))
    const server = await startServer(postgres.url, config)
    try {
      const begun = performance.now()
      const first = await readHeads(chains)
      await replay(server.url, chains, plan)
      const heads = await readHeads(chains)
      await waitUntilIndexed(server.url, heads)
      await waitUntilFilled(postgres.url)
      const seconds = (performance.now() - begun) / 1_000
      const activities = heads.map((head, index) => {
        const blocks = design === 'all' ? head + 1 : head - (first[index] ?? 0)
        return toActivity(design, plan, index, { seconds, blocks })
      })
      const measured = { ...countCalls(nodes), ...(await measureTables(postgres.url)) }
      return compare(design, activities, measured, plan.sessions.length * minutesPerSession)
    } finally {
      await server.close()
    }
  } finally {
    await Promise.all([...nodes, ...chains, postgres].map((each) => each.close()))
  }
}

/** Draws the sessions of users. Few users have most of them. @param {Options} options */
function createPlan({ users, seconds, seed }) {
  const random = createRandom(seed)
  const chooseChain = createRankChoice(chainIds.length, 1.1)
  /** @type {Session[]} */
  const sessions = []
  for (let user = 0; user < users; user += 1) {
    const count = Math.round(drawPower(random, { exponent: 1.5, least: 0.5, most: 2 }))
    // A second session on the same chain would find its balances in the cache.
    const visited = new Set(Array.from({ length: count }, () => chooseChain(random)))
    for (const chain of visited) sessions.push({ at: 2 + random() * (seconds - 6), user, chain })
  }
  sessions.sort((a, b) => a.at - b.at)
  const receivers = Array.from({ length: seconds }, () =>
    chainIds.map(() => Array.from({ length: usersPerBlock }, () => Math.floor(random() * users))),
  )
  return { users, seconds, sessions, receivers }
}

/**
 * Starts a chain on which each user has received tokens.
 *
 * @param {number} chainId
 * @param {Plan} plan
 * @param {number} index
 * @returns {Promise<LocalChain>}
 */
async function startChain(chainId, plan, index) {
  const anvil = await startAnvil({ chainId, port: 0 })
  const [sender] = await requestOne(anvil.rpcUrl, 'eth_accounts', [])
  const { abi, bytecode } = await readArtifact('LocalToken')
  const data = encodeDeployData({ abi, bytecode, args: [`Token ${index}`, 'TOK', 18, [], 0n] })
  const hash = await requestOne(anvil.rpcUrl, 'eth_sendTransaction', [{ from: sender, data, gas: '0x2dc6c0' }])
  const token = await waitForContract(anvil.rpcUrl, hash)
  const chain = { chainId, rpcUrl: anvil.rpcUrl, token, sender, close: anvil.close }
  for (let round = 0; round < oldTransactionsPerUser; round += 1) {
    for (let user = 0; user < plan.users; user += 1) await mint(chain, user)
  }
  return chain
}

/**
 * Sends a token to a user.
 *
 * @param {LocalChain} chain
 * @param {number} user
 */
async function mint({ rpcUrl, token, sender }, user) {
  const data = encodeFunctionData({ abi: mintAbi, functionName: 'mint', args: [toHex(getReceiver(user)), 1n] })
  await requestOne(rpcUrl, 'eth_sendTransaction', [{ from: sender, to: token, data, gas: '0x186a0' }])
}

const mintAbi = parseAbi(['function mint(address to, uint256 amount)'])
const toHex = (/** @type {string} */ text) => /** @type {`0x${string}`} */ (text)

/**
 * Mines a block a second, and sends the requests of users.
 *
 * @param {string} url
 * @param {readonly LocalChain[]} chains
 * @param {Plan} plan
 */
async function replay(url, chains, { seconds, sessions, receivers }) {
  const begun = performance.now()
  const until = (/** @type {number} */ at) => sleep(Math.max(0, 1_000 * at - (performance.now() - begun)))
  const reading = sessions.map(async ({ at, user, chain }) => {
    await until(at)
    await readAccount(url, getReceiver(user), chainIds[chain] ?? 0)
  })
  await Promise.all(
    chains.map(async (chain, index) => {
      await requestOne(chain.rpcUrl, 'evm_setAutomine', [false])
      for (let second = 0; second < seconds; second += 1) {
        await until(second)
        for (const user of receivers[second]?.[index] ?? []) await mint(chain, user)
        for (let each = 0; each < strangersPerBlock; each += 1) {
          const to = `0xde${toQuantity(second * strangersPerBlock + each)
            .slice(2)
            .padStart(38, '0')}`
          await requestOne(chain.rpcUrl, 'eth_sendTransaction', [
            { from: chain.sender, to, value: '0x1', gas: '0x5208' },
          ])
        }
        await requestOne(chain.rpcUrl, 'evm_mine', [])
      }
    }),
  )
  await Promise.all(reading)
}

/**
 * Sends the requests of an account view that opens.
 *
 * @param {string} url
 * @param {string} address
 * @param {number} chainId
 */
async function readAccount(url, address, chainId) {
  const query = `projectId=${projectId}&chainId=eip155:${chainId}`
  for (const path of ['history?', 'balance?currency=usd&']) {
    const response = await fetch(`${url}/v1/account/${address}/${path}${query}`)
    if (!response.ok) throw new Error(`The server responded with ${response.status}: ${await response.text()}`)
    await response.arrayBuffer()
  }
}

/** @param {readonly LocalChain[]} chains */
function readHeads(chains) {
  return Promise.all(chains.map(async ({ rpcUrl }) => Number(await requestOne(rpcUrl, 'eth_blockNumber', []))))
}

/**
 * Waits until all chains are indexed up to a block.
 *
 * @param {string} url
 * @param {readonly number[]} heads
 */
async function waitUntilIndexed(url, heads) {
  for (;;) {
    const { index } = /** @type {{ index: { head: number }[] }} */ (await (await fetch(`${url}/health`)).json())
    if (heads.every((head, chain) => (index[chain]?.head ?? -1) >= head)) return
    await sleep(100)
  }
}

/** Waits until the older transactions of all users are indexed. @param {string} databaseUrl */
async function waitUntilFilled(databaseUrl) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    for (;;) {
      const { rows } = await client.query('select from index_address where gap_to is not null or not followed limit 1')
      if (rows.length === 0) return
      await sleep(200)
    }
  } finally {
    await client.end()
  }
}

/**
 * Describes what happened on a chain in the terms of the model.
 *
 * @param {Design} design
 * @param {Plan} plan
 * @param {number} index
 * @param {{ seconds: number, blocks: number }} run
 * @returns {ChainActivity}
 */
function toActivity(design, plan, index, { seconds, blocks }) {
  const opened = new Map(plan.sessions.flatMap((each) => (each.chain === index ? [[each.user, each.at]] : [])))
  const mints = plan.receivers.flatMap((chains, second) => (chains[index] ?? []).map((user) => ({ user, second })))
  const later = mints.filter(({ user, second }) => second > (opened.get(user) ?? Infinity)).length
  const earlier = mints.filter(({ user, second }) => second <= (opened.get(user) ?? -1)).length
  const payments = plan.seconds * strangersPerBlock
  const minted = plan.users * oldTransactionsPerUser + mints.length
  return {
    seconds,
    blocks,
    transactions: minted + payments + 1,
    // Payments and tokens are one transfer each; the creation of the token is none.
    transfersPerTransaction: design === 'all' ? (minted + payments) / (minted + payments + 1) : 1,
    addressesPerTransaction: (3 * minted + 2 * (payments + 1)) / (minted + payments + 1),
    users: design === 'all' ? plan.users : opened.size,
    newUsers: design === 'all' ? plan.users : opened.size,
    userTransactions: later,
    oldTransactions: opened.size * oldTransactionsPerUser + earlier,
    historyWindows: 1,
    searchesTraces: true,
    balanceReads: opened.size,
    // The native currency and one token.
    callsPerBalanceRead: 2,
    // The name, symbol and decimals of the token, once.
    otherUserCalls: callsPerToken,
  }
}

const callsPerToken = 3
const maxErrorPercent = 20
const methodsOfUsers = ['eth_call', 'eth_getBalance']

/** @param {readonly import('../api/countingNode.mjs').CountingNode[]} nodes */
function countCalls(nodes) {
  const calls = nodes.flatMap((node) => [...node.calls()])
  const count = (/** @type {boolean} */ isOfUsers) =>
    sum(calls.flatMap(([method, times]) => (methodsOfUsers.includes(method) === isOfUsers ? [times] : [])))
  return { userCalls: count(true), indexCalls: count(false) }
}

/**
 * Counts the rows of the index, and the bytes of its tables with their indexes.
 *
 * @param {string} databaseUrl
 */
async function measureTables(databaseUrl) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const tables = Object.keys(bytesPerRow)
    const counts = tables.map((table) => `(select count(*) from ${table})`).join(' + ')
    const sizes = tables.map((table) => `pg_total_relation_size('${table}')`).join(' + ')
    const { rows } = await client.query(`select (${counts})::float as rows, (${sizes})::float as bytes`)
    return /** @type {{ rows: number, bytes: number }} */ (rows[0])
  } finally {
    await client.end()
  }
}

/**
 * @param {Design} design
 * @param {readonly ChainActivity[]} activities
 * @param {{ userCalls: number, indexCalls: number, rows: number, bytes: number }} measured
 * @param {number} userMinutes
 * @returns {Figure[]}
 */
function compare(design, activities, measured, userMinutes) {
  const model = sumUsage(activities.map((each) => estimateChain(design, each)))
  const perMinute = (/** @type {number} */ calls) => (calls / userMinutes).toFixed(2)
  const format = {
    userCalls: (/** @type {number} */ value) => `${perMinute(value)} calls per user-minute`,
    indexCalls: (/** @type {number} */ value) => `${perMinute(value)} calls per user-minute`,
    rows: (/** @type {number} */ value) => `${Math.round(value)} rows`,
    bytes: (/** @type {number} */ value) => `${(value / 1e6).toFixed(2)} MB`,
  }
  const labels = { userCalls: 'calls for users', indexCalls: 'calls for the index', rows: 'rows', bytes: 'bytes' }
  return /** @type {const} */ (['userCalls', 'indexCalls', 'rows', 'bytes']).map((key) => ({
    name: `${design} addresses, ${labels[key]}: error of the model`,
    value: Math.abs(100 * (model[key] / measured[key] - 1)),
    unit: '%',
    budget: maxErrorPercent,
    note: `model ${format[key](model[key])}, measured ${format[key](measured[key])}`,
  }))
}
