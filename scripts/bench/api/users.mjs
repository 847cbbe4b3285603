// Measures the data service under many users on many chains: calls to nodes, errors, latency, and the memory over time. A few
// users have most of the sessions, and a few chains most of the users. A session is an account view that is open for a minute:
// it reads the balances and the history of one chain when it opens, and again after half a minute.
import { setTimeout as sleep } from 'node:timers/promises'
import { startAnvil } from '@latchkey/devnet'
import { startTestPostgres } from '@latchkey/server/testing'
import { drawMemory, getSlope, sampleMemory } from '../memory.mjs'
import { createRandom, createRankChoice, drawPower } from '../simulation/random.mjs'
import { getReceiver, requestOne } from './chain.mjs'
import { startCountingNode } from './countingNode.mjs'
import { startServer } from './server.mjs'

/** @typedef {import('../../bench.mjs').Figure} Figure */
/** @typedef {{ at: number, user: number, chain: number }} Read */

const projectId = 'ab'.repeat(16)
const [firstChainId, chainCount] = [31_400, 20]
const secondsBetweenReads = 30
const minutesPerSession = 1
/** A payment to a user in each block, on each chain. */
const secondsPerBlock = 1
const timeoutMs = 30_000
const maxErrorShare = 0.1
/** The memory grows until the caches are full; the slope counts from here on. */
const warmUpShare = 0.5
const maxSlope = 5

/**
 * @param {{ users: number, seconds: number }} options
 * @returns {Promise<Figure[]>}
 */
export async function measureUsers({ users, seconds }) {
  const postgres = await startTestPostgres()
  const chains = await Promise.all(
    Array.from({ length: chainCount }, (_, index) => startAnvil({ chainId: firstChainId + index, port: 0 })),
  )
  const nodes = await Promise.all(chains.map(({ rpcUrl }) => startCountingNode(rpcUrl)))
  try {
    const server = await startServer(
      postgres.url,
      nodes.map(({ url }, index) => ({
        caipNetworkId: `eip155:${firstChainId + index}`,
        rpcUrls: [url],
        index: { from: 0, addresses: 'requested' },
      })),
    )
    try {
      const plan = createUserPlan({ users, seconds })
      const memory = sampleMemory(server.pid)
      const [responses] = await Promise.all([
        readAll(server.url, plan.reads).finally(memory.stop),
        payUsers(chains, { users, seconds }),
      ])
      return toFigures({ users, seconds, sessions: plan.sessions, nodes, responses, samples: memory.samples })
    } finally {
      await server.close()
    }
  } finally {
    await Promise.all([...nodes, ...chains, postgres].map((each) => each.close()))
  }
}

/**
 * Draws the reads of all sessions.
 *
 * @param {{ users: number, seconds: number }} options
 */
function createUserPlan({ users, seconds }) {
  const random = createRandom(1)
  const chooseChain = createRankChoice(chainCount, 1.1)
  const last = Math.max(1, seconds - secondsBetweenReads - 5)
  /** @type {Read[]} */
  const reads = []
  let sessions = 0
  for (let user = 0; user < users; user += 1) {
    const count = Math.round(drawPower(random, { exponent: 1.5, least: 0.6, most: 10 }))
    for (let each = 0; each < count; each += 1) {
      const [at, chain] = [random() * last, chooseChain(random)]
      reads.push({ at, user, chain }, { at: at + secondsBetweenReads, user, chain })
      sessions += 1
    }
  }
  return { reads, sessions }
}

/**
 * Sends the reads at their times, independent of the responses.
 *
 * @param {string} url
 * @param {readonly Read[]} reads
 */
async function readAll(url, reads) {
  /** @type {number[]} */
  const took = []
  let failed = 0
  await Promise.all(
    reads.map(async ({ at, user, chain }) => {
      await sleep(1_000 * at)
      const query = `projectId=${projectId}&chainId=eip155:${firstChainId + chain}`
      for (const path of ['history?', 'balance?currency=usd&']) {
        const started = performance.now()
        const place = `${url}/v1/account/${getReceiver(user)}/${path}${query}`
        const isOk = await fetch(place, { signal: AbortSignal.timeout(timeoutMs) }).then(
          async (response) => (await response.arrayBuffer()).byteLength > 0 && response.ok,
          () => false,
        )
        took.push(performance.now() - started)
        if (!isOk) failed += 1
      }
    }),
  )
  return { took: took.toSorted((a, b) => a - b), failed }
}

/**
 * Mines a block a second on each chain, with a payment to a user.
 *
 * @param {readonly { rpcUrl: string }[]} chains
 * @param {{ users: number, seconds: number }} options
 */
async function payUsers(chains, { users, seconds }) {
  const random = createRandom(2)
  const end = performance.now() + 1_000 * seconds
  await Promise.all(
    chains.map(async ({ rpcUrl }) => {
      const [from] = await requestOne(rpcUrl, 'eth_accounts', [])
      while (performance.now() < end) {
        const to = getReceiver(Math.floor(random() * users))
        await requestOne(rpcUrl, 'eth_sendTransaction', [{ from, to, value: '0x1', gas: '0x5208' }])
        await sleep(1_000 * secondsPerBlock)
      }
    }),
  )
}

/**
 * @param {object} run
 * @param {number} run.users
 * @param {number} run.seconds
 * @param {number} run.sessions
 * @param {readonly import('./countingNode.mjs').CountingNode[]} run.nodes
 * @param {Awaited<ReturnType<typeof readAll>>} run.responses
 * @param {readonly import('../memory.mjs').Sample[]} run.samples
 * @returns {Figure[]}
 */
function toFigures({ users, seconds, sessions, nodes, responses: { took, failed }, samples }) {
  const calls = nodes.reduce((sum, node) => sum + [...node.calls().values()].reduce((all, each) => all + each, 0), 0)
  const at = (/** @type {number} */ share) => took[Math.ceil(took.length * share) - 1] ?? Infinity
  const name = `${users.toLocaleString('en')} users on ${chainCount} chains`
  const settled = samples.slice(Math.floor(samples.length * warmUpShare))
  const sizes = `${samples[0]?.[1].toFixed(0)} MiB at the start, ${samples.at(-1)?.[1].toFixed(0)} MiB at the end`
  return [
    {
      name: `${name}, calls to nodes per user-minute`,
      value: calls / (sessions * minutesPerSession),
      unit: '',
      note: `${calls} calls, ${sessions} sessions of a minute in ${seconds} s`,
    },
    {
      name: `${name}, failed requests`,
      value: (100 * failed) / took.length,
      unit: '%',
      budget: maxErrorShare,
      note: `${failed} of ${took.length}; p50 ${at(0.5).toFixed(0)} ms, p99 ${at(0.99).toFixed(0)} ms`,
    },
    {
      name: `${name}, growth of the memory`,
      value: getSlope(settled),
      unit: 'MiB/min',
      budget: maxSlope,
      note: `in the last ${Math.round(100 * (1 - warmUpShare))} % of the time; ${sizes}`,
      lines: [drawMemory(`data service, ${name}`, samples)],
      isOptional: true,
    },
  ]
}
