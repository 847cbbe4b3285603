import Fastify from 'fastify'
import { Registry } from 'prom-client'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { startTestRedis } from '../../../testing/brokers/redis.ts'
import { startRpcNode, type RpcNode } from '../../../testing/rpcNode.ts'
import { createInProcessRateLimiters, type RateLimiters } from '../../limits/rateLimiters.ts'
import { connectRedisRateLimiters } from '../../limits/redisRateLimiters.ts'
import { getField } from '../../runtime/getField.ts'
import { systemClock, type Clock } from '../../runtime/clock.ts'
import { createEndpointPools } from '../endpointPools.ts'
import { createUpstreamMetrics } from '../endpoints/upstreamMetrics.ts'
import type { Chain } from '../chains.ts'
import { createUpstreamBudgets } from './createUpstreamBudgets.ts'
import type { RpcProvider } from './rpcProvider.ts'

const nodes: RpcNode[] = []
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()))
})

async function startNode(): Promise<RpcNode> {
  const respond = (request: unknown): object => ({ id: getField(request, 'id'), jsonrpc: '2.0', result: '0x1' })
  const node = await startRpcNode((body) => (Array.isArray(body) ? body.map(respond) : respond(body)))
  nodes.push(node)
  return node
}

const toChain = (caipNetworkId: Chain['caipNetworkId'], ...rpcUrls: readonly string[]): Chain => ({
  caipNetworkId,
  name: 'Chain',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls,
  tokens: [],
})

type World = {
  providers: readonly RpcProvider[]
  chains: readonly Chain[]
  clock: Clock
  rateLimiters?: RateLimiters
}

function openPools({ providers, chains, clock, rateLimiters = createInProcessRateLimiters(clock) }: World) {
  const registry = new Registry()
  const budgets = createUpstreamBudgets({ providers, chains, rateLimiters, clock })
  const pools = createEndpointPools(clock, { budgets, metrics: createUpstreamMetrics(registry) })
  return { budgets, pools, readMetrics: () => registry.metrics() }
}

const createRpcRequest = (method: string, id = 1): object => ({ id, jsonrpc: '2.0', method, params: [] })

test('a provider over its budget is skipped until it has units again, and its method weights count', async () => {
  const [paid, free] = [await startNode(), await startNode()]
  const time = { now: 0 }
  const chain = toChain('eip155:1', paid.url, free.url)
  const provider = { name: 'paid', endpoints: [paid.url], unitsPerSecond: 100, weights: { eth_call: 40, default: 10 } }
  const { pools, readMetrics } = openPools({ providers: [provider], chains: [chain], clock: { now: () => time.now } })
  const pool = pools.get(chain)
  for (const method of ['eth_call', 'eth_call', 'eth_blockNumber', 'eth_blockNumber'])
    await pool.request(createRpcRequest(method))
  expect([paid.requests.length, free.requests.length]).toEqual([4, 0])
  for (let each = 0; each < 3; each += 1) await pool.request(createRpcRequest('eth_blockNumber'))
  expect([paid.requests.length, free.requests.length]).toEqual([4, 3])
  time.now = 1_000
  await pool.request(createRpcRequest('eth_call'))
  expect(paid.requests.length).toBe(5)
  const metrics = await readMetrics()
  expect(metrics).toContain('latchkey_upstream_units_total{chain="eip155:1",provider="paid"} 140')
  expect(metrics).toContain('latchkey_upstream_calls_total{chain="eip155:1",provider="paid"} 5')
  expect(metrics).toContain('latchkey_upstream_skips_total{chain="eip155:1",provider="paid",reason="budget"} 3')
})

test('a request fails with the seconds to wait if no other provider is left', async () => {
  const node = await startNode()
  const chain = toChain('eip155:1', node.url)
  const providers = [{ name: 'paid', endpoints: [node.url], unitsPerSecond: 2 }]
  const { pools } = openPools({ providers, chains: [chain], clock: { now: () => 0 } })
  const pool = pools.get(chain)
  await Promise.all([pool.request(createRpcRequest('eth_call')), pool.request(createRpcRequest('eth_call'))])
  await expect(pool.request(createRpcRequest('eth_call'))).rejects.toMatchObject({
    name: 'UpstreamLimitError',
    retryAfterSeconds: 1,
  })
  expect(node.requests.length).toBe(2)
})

test('one chain uses at most its share of a provider, so that the others keep theirs', async () => {
  const node = await startNode()
  const [busy, quiet] = [toChain('eip155:1', `${node.url}/one`), toChain('eip155:10', `${node.url}/ten`)]
  const providers = [{ name: 'shared', endpoints: [`${node.url}/`], unitsPerSecond: 100, chainShare: 0.7 }]
  const clock = { now: () => 0 }
  const { pools, readMetrics } = openPools({ providers, chains: [busy, quiet], clock })
  const responses = await Promise.allSettled(
    Array.from({ length: 200 }, () => pools.get(busy).request(createRpcRequest('eth_blockNumber'))),
  )
  expect(responses.filter(({ status }) => status === 'fulfilled').length).toBe(70)
  expect(await readMetrics()).toContain('reason="chain-quota"}')
  for (let each = 0; each < 30; each += 1) await pools.get(quiet).request(createRpcRequest('eth_blockNumber'))
  expect(node.requests.length).toBe(100)
  await expect(pools.get(quiet).request(createRpcRequest('eth_blockNumber'))).rejects.toMatchObject({
    retryAfterSeconds: 1,
  })
})

test('no 24 hours exceed the budget of a day', async () => {
  const chain = toChain('eip155:1', 'https://node.example')
  const time = { now: 0 }
  const providers = [{ name: 'paid', endpoints: ['https://node.example'], unitsPerDay: 8_000 }]
  const { budgets } = openPools({ providers, chains: [chain], clock: { now: () => time.now } })
  const budget = budgets.get('eip155:1', 'https://node.example')
  const spent: number[] = []
  for (let minute = 0; minute < 3 * 24 * 60; minute += 1) {
    time.now = minute * 60_000
    let units = 0
    while ((await budget?.take(1))?.ok === true) units += 1
    spent.push(units)
  }
  const days = [0, 500, 1_000, 2_000].map((from) => spent.slice(from, from + 24 * 60).reduce((sum, each) => sum + each))
  expect(days[0]).toBeGreaterThan(7_900)
  expect(Math.max(...days)).toBeLessThanOrEqual(8_000)
})

test('a batch is split so that each part fits into the budget of a second', { tags: 'faults' }, async () => {
  const node = await startNode()
  const chain = toChain('eip155:1', node.url)
  const providers = [{ name: 'paid', endpoints: [node.url], unitsPerSecond: 50, weights: { eth_call: 10 } }]
  const { pools } = openPools({ providers, chains: [chain], clock: systemClock })
  const batch = Array.from({ length: 12 }, (_, id) => createRpcRequest('eth_call', id))
  expect(await pools.get(chain).request(batch)).toHaveLength(12)
  expect(node.requests.map((each) => (each as unknown[]).length).toSorted((a, b) => a - b)).toEqual([2, 5, 5])
})

test('a request that costs more than a second may spend is sent once a second is full', async () => {
  const node = await startNode()
  const chain = toChain('eip155:1', node.url)
  const providers = [{ name: 'paid', endpoints: [node.url], unitsPerSecond: 10, weights: { eth_getLogs: 75 } }]
  const time = { now: 0 }
  const { pools } = openPools({ providers, chains: [chain], clock: { now: () => time.now } })
  await pools.get(chain).request(createRpcRequest('eth_getLogs'))
  await expect(pools.get(chain).request(createRpcRequest('eth_getLogs'))).rejects.toMatchObject({
    retryAfterSeconds: 1,
  })
  time.now = 1_000
  await pools.get(chain).request(createRpcRequest('eth_getLogs'))
})

test('two processes share the budget of a provider over Redis', async () => {
  const [node, redis] = [await startNode(), await startTestRedis()]
  onTestFinished(redis.close)
  const { log } = Fastify({ logger: false })
  const chain = toChain('eip155:1', node.url)
  // The daily budget has no refill that a slow machine could notice.
  const providers = [{ name: 'paid', endpoints: [node.url], unitsPerDay: 40 }]
  const openProcess = async () => {
    const rateLimiters = await connectRedisRateLimiters({ url: redis.url, clock: systemClock, log })
    onTestFinished(rateLimiters.close)
    return openPools({ providers, chains: [chain], clock: systemClock, rateLimiters }).pools.get(chain)
  }
  const processes = [await openProcess(), await openProcess()]
  const results = await Promise.allSettled(
    Array.from({ length: 30 }, (_, index) => processes[index % 2]?.request(createRpcRequest('eth_call'))),
  )
  expect(results.filter(({ status }) => status === 'fulfilled').length).toBe(10)
  expect(node.requests.length).toBe(10)
})

describe('an endpoint belongs to a provider', () => {
  const getProvider = (endpoint: string, url: string): string | undefined => {
    const providers = [{ name: 'paid', endpoints: [endpoint], unitsPerDay: 1_000 }]
    const chains = [toChain('eip155:1', url)]
    return openPools({ providers, chains, clock: systemClock }).budgets.get('eip155:1', url)?.provider
  }

  test.each([
    ['https://node.example', 'https://node.example/v2/key'],
    ['https://node.example/v2/', 'https://node.example/v2/key'],
    ['https://node.example', 'https://node.example?key=1'],
    ['https://*.node.example/', 'https://eth-mainnet.node.example/v2/key'],
  ])('%s has %s', (endpoint, url) => {
    expect(getProvider(endpoint, url)).toBe('paid')
  })

  test.each([
    ['https://node.example', 'https://node.example.org/v2/key'],
    ['https://node.example/v2', 'https://node.example/v3'],
    ['https://*.node.example/', 'https://other.example/x.node.example/'],
    ['https://node.example', 'https://nodeXexample'],
  ])('%s does not have %s', (endpoint, url) => {
    expect(getProvider(endpoint, url)).toBeUndefined()
  })
})
