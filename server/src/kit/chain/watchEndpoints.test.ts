import Fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { startRpcNode, type RpcNode } from '../../testing/rpcNode.ts'
import type { Chain } from './chains.ts'
import { createEndpointPools } from './endpointPools.ts'
import { watchEndpoints } from './watchEndpoints.ts'

const { log } = Fastify({ logger: false })
const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function nodeOf(chainId: unknown): Promise<RpcNode> {
  const node = await startRpcNode((body) => ({ id: Reflect.get(Object(body), 'id'), jsonrpc: '2.0', result: chainId }))
  closers.push(node.close)
  return node
}

async function watchNodes(nodes: readonly RpcNode[]) {
  const chain: Chain = {
    caipNetworkId: 'eip155:31337',
    name: 'Local',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: nodes.map(({ url }) => url),
    tokens: [],
  }
  const pools = createEndpointPools({ now: () => 0 })
  const watch = watchEndpoints({ chains: [chain], pools, log })
  closers.push(watch.stop)
  await watch.firstCheck
  return pools.get(chain)
}

const call = { id: 1, jsonrpc: '2.0', method: 'eth_getBalance', params: [] }

test('the pool sends no request to an endpoint of another chain', async () => {
  const [wrong, right] = [await nodeOf('0x1'), await nodeOf('0x7a69')]
  const pool = await watchNodes([wrong, right])
  for (let each = 0; each < 5; each += 1) await pool.request(call)
  await pool.request(call, { once: true })
  expect(wrong.requests).toEqual([expect.objectContaining({ method: 'eth_chainId' })])
  expect(right.requests).toHaveLength(7)
})

test('the pool sends no request when all endpoints are of another chain', async () => {
  const wrong = await nodeOf('0x1')
  await expect((await watchNodes([wrong])).request(call)).rejects.toThrow('No endpoint responds.')
  expect(wrong.requests).toHaveLength(1)
})

test.each([undefined, 'mainnet', '0x', 1])(
  'the pool keeps using an endpoint whose chain id response is %j',
  async (response) => {
    const node = await nodeOf(response)
    await (await watchNodes([node])).request({ ...call, id: 1 }).catch(() => undefined)
    expect(node.requests).toHaveLength(2)
  },
)
