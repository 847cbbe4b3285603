// Measures the data service under many users on many chains: calls to nodes, errors, latency, and the memory over time. A few
// users have most of the sessions, and a few chains most of the users. A session is an account view that is open for a minute:
// it reads the balances and the history of one chain when it opens, and again after half a minute.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startAnvil } from '@latchkey/devnet'
import { startTestPostgres } from '@latchkey/server/testing'
import { root } from '../../lib/root.mjs'
import { drawMemory, getSlope, sampleMemory } from '../memory.mjs'
import { createRandom, createRankChoice, drawPower } from '../simulation/random.mjs'
import { getReceiver, requestOne } from './chain.mjs'
import { startCountingNode } from './countingNode.mjs'
import { startServer } from './server.mjs'
import { watchProcessorTime } from './watchProcessorTime.mjs'

/** @typedef {import('../../bench.mjs').Figure} Figure */
/** @typedef {import('./sendReads.mjs').ReadOutcome} ReadOutcome */
/** @typedef {import('../memory.mjs').Sample} Sample */
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
/** Each measurement of the memory in use stops the server for the time of a garbage collection. */
const usedSamples = 6
/** The programs whose processor time is measured, by a part of their command lines. This process runs the counting nodes. */
const programs = {
  server: /server\/dist\/main\.js/,
  PostgreSQL: /postgres/,
  chains: /anvil/,
  users: /sendReads\.mjs/,
}

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
      const processorTime = watchProcessorTime(programs, postgres.url)
      const [outcomes, , used] = await Promise.all([
        readAll(server.url, plan.reads).finally(memory.stop),
        payUsers(chains, { users, seconds }),
        sampleUsedMemory(server, seconds),
      ])
      const spent = processorTime.stop()
      return toFigures({
        users,
        seconds,
        sessions: plan.sessions,
        nodes,
        outcomes,
        spent,
        samples: memory.samples,
        used,
      })
    } finally {
      await server.close()
    }
  } finally {
    await Promise.all([...nodes, ...chains, postgres].map((each) => each.close()))
  }
}

/**
 * Measures the memory in use, from the end of the warm-up to the end.
 *
 * @param {{ measureMemory(): Promise<number> }} server
 * @param {number} seconds
 * @returns {Promise<Sample[]>}
 */
async function sampleUsedMemory(server, seconds) {
  const warmUpMs = 1_000 * seconds * warmUpShare
  const everyMs = (1_000 * seconds - warmUpMs) / (usedSamples - 1)
  const begun = performance.now()
  /** @type {Sample[]} */
  const samples = []
  for (let each = 0; each < usedSamples; each += 1) {
    await sleep(warmUpMs + each * everyMs - (performance.now() - begun))
    samples.push([(performance.now() - begun) / 60_000, await server.measureMemory()])
  }
  return samples
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
 * @returns {Promise<readonly ReadOutcome[]>}
 */
async function readAll(url, reads) {
  const child = fork(join(root, 'scripts/bench/api/sendReads.mjs'))
  child.send({
    url,
    timeoutMs,
    reads: reads.map(({ at, user, chain }) => {
      const account = `/v1/account/${getReceiver(user)}`
      const query = `projectId=${projectId}&chainId=eip155:${firstChainId + chain}`
      return { atMs: 1_000 * at, paths: [`${account}/history?${query}`, `${account}/balance?currency=usd&${query}`] }
    }),
  })
  const [outcomes] = await once(child, 'message')
  return outcomes
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
 * @param {readonly ReadOutcome[]} run.outcomes
 * @param {Readonly<Record<string, number>>} run.spent
 * @param {readonly import('../memory.mjs').Sample[]} run.samples
 * @param {readonly Sample[]} run.used the memory in use after the warm-up
 * @returns {Figure[]}
 */
function toFigures({ users, seconds, sessions, nodes, outcomes, spent, samples, used }) {
  const calls = sumCalls(nodes)
  const count = [...calls.values()].reduce((sum, each) => sum + each, 0)
  const name = `${users.toLocaleString('en')} users on ${chainCount} chains`
  const settled = samples.slice(Math.floor(samples.length * warmUpShare))
  const sizes = `${samples[0]?.[1].toFixed(0)} MiB at the start, ${samples.at(-1)?.[1].toFixed(0)} MiB at the end`
  const failed = outcomes.filter(({ outcome }) => outcome !== '200')
  return [
    {
      name: `${name}, calls to nodes per user-minute`,
      value: count / (sessions * minutesPerSession),
      unit: '',
      note: `${count} calls, ${sessions} sessions of a minute in ${seconds} s; ${listCounts(calls)}`,
    },
    {
      name: `${name}, failed requests`,
      value: (100 * failed.length) / outcomes.length,
      unit: '%',
      budget: maxErrorShare,
      note: `${failed.length} of ${outcomes.length}${failed.length === 0 ? '' : `: ${listCounts(countOutcomes(failed))}`}`,
    },
    toErrorGrowth(name, outcomes),
    ...['history', 'balance'].map((endpoint) => toLatencyFigure(name, endpoint, outcomes)),
    ...Object.entries(spent).map(([program, ms]) => ({
      name: `${name}, processor time of ${program}`,
      value: ms / outcomes.length,
      unit: 'ms per request',
      note: `${(ms / 1_000).toFixed(1)} s in ${seconds} s`,
    })),
    {
      name: `${name}, growth of the memory`,
      value: getSlope(settled),
      unit: 'MiB/min',
      budget: maxSlope,
      note: `in the last ${Math.round(100 * (1 - warmUpShare))} % of the time; ${sizes}`,
      lines: [drawMemory(`data service, ${name}`, samples)],
      isOptional: true,
    },
    {
      name: `${name}, growth of the memory in use`,
      value: getSlope(used),
      unit: 'MiB/min',
      budget: maxSlope,
      note: `after garbage collections: ${used.map(([minutes, size]) => `${size.toFixed(1)} MiB after ${(60 * minutes).toFixed(0)} s`).join(', ')}`,
    },
  ]
}

/**
 * @param {string} name
 * @param {readonly ReadOutcome[]} outcomes in the order of their ends
 * @returns {Figure}
 */
function toErrorGrowth(name, outcomes) {
  const half = Math.floor(outcomes.length / 2)
  const [first = 0, second = 0] = [outcomes.slice(0, half), outcomes.slice(half)].map(
    (part) => (100 * part.filter(({ outcome }) => outcome !== '200').length) / part.length,
  )
  const note = `${first.toFixed(2)} % of the first half of the requests, ${second.toFixed(2)} % of the second one`
  return {
    name: `${name}, growth of the failed requests`,
    value: second - first,
    unit: '%',
    budget: maxErrorShare,
    note,
  }
}

/**
 * @param {string} name
 * @param {string} endpoint
 * @param {readonly ReadOutcome[]} outcomes
 * @returns {Figure}
 */
function toLatencyFigure(name, endpoint, outcomes) {
  const took = outcomes
    .flatMap(({ path, ms }) => (path.includes(`/${endpoint}?`) ? [ms] : []))
    .toSorted((a, b) => a - b)
  const at = (/** @type {number} */ share) => took[Math.ceil(took.length * share) - 1] ?? Infinity
  const note = `p50 ${at(0.5).toFixed(0)} ms, p90 ${at(0.9).toFixed(0)} ms, ${took.length} requests`
  return { name: `${name}, ${endpoint}, p99`, value: at(0.99), unit: 'ms', note }
}

/** @param {readonly import('./countingNode.mjs').CountingNode[]} nodes */
function sumCalls(nodes) {
  /** @type {Map<string, number>} */
  const sums = new Map()
  for (const [method, count] of nodes.flatMap((node) => [...node.calls()]))
    sums.set(method, (sums.get(method) ?? 0) + count)
  return sums
}

/**
 * Counts the outcomes of each endpoint.
 *
 * @param {readonly ReadOutcome[]} outcomes
 */
function countOutcomes(outcomes) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const { path, outcome } of outcomes) {
    const key = `${/(\w+)\?/.exec(path)?.[1]} ${outcome}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

/** @param {ReadonlyMap<string, number>} counts */
function listCounts(counts) {
  const largest = [...counts].toSorted(([, a], [, b]) => b - a)
  return largest.map(([key, count]) => `${key} ${count}`).join(', ')
}
