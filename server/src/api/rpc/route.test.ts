import { afterEach, expect, test } from 'vitest'
import type { Chain } from '../../kit/chains.ts'
import { mountEndpoints } from '../../kit/endpoint.ts'
import { systemClock } from '../../kit/clock.ts'
import { createPools } from '../../kit/pools.ts'
import { createHttp } from '../../kit/http.ts'
import { createProjects } from '../../kit/projects.ts'
import { startRpcNode, type RpcBehaviour, type RpcNode } from '../../testing/rpcNode.ts'
import { rpc } from './route.ts'

const nodes: RpcNode[] = []

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()))
})

async function nodesThat(...behaviours: readonly RpcBehaviour[]): Promise<readonly RpcNode[]> {
  const started = await Promise.all(behaviours.map(startRpcNode))
  nodes.push(...started)
  return started
}

async function ask(
  upstream: readonly RpcNode[],
  body: unknown,
  { chainId = 'eip155:31337', onCost = (cost: number): void => void cost } = {},
) {
  const chain: Chain = {
    caipNetworkId: 'eip155:31337',
    name: 'Local',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: upstream.map(({ url }) => url),
    tokens: [],
  }
  const app = await createHttp({ logLevel: 'silent', projects: createProjects('any') })
  mountEndpoints(app, rpc({ chains: [chain], pools: createPools(systemClock) }), (_request, cost = 1) => onCost(cost))
  const payload = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await app.inject({ method: 'POST', url: `/v1?chainId=${chainId}`, payload })
  return { status: answer.statusCode, body: answer.json() as unknown }
}

const call = (method: string, params: unknown = [], id = 7): object => ({ id, jsonrpc: '2.0', method, params })
const well: RpcBehaviour = (body) => ({ id: Reflect.get(Object(body), 'id'), jsonrpc: '2.0', result: '0x2a' })
const answered = { status: 200, body: { id: 7, jsonrpc: '2.0', result: '0x2a' } }

test('passes a request on to the chain and its answer back [R7.3.1]', async () => {
  const [node, ...rest] = await nodesThat(well)
  const question = call('eth_getBalance', ['0x00', 'latest'])
  expect(await ask(node === undefined ? [] : [node, ...rest], question)).toEqual(answered)
  expect(node?.asked).toEqual([question])
})

test.each<[string, RpcBehaviour]>([
  ['breaks off', (_body, response) => void response.destroy()],
  ['answers 500', (_body, response) => void response.writeHead(500).end('{}')],
  ['answers 429', (_body, response) => void response.writeHead(429).end('{}')],
  ['answers a web page', (_body, response) => void response.end('<!doctype html>')],
  ['says too much', (_body, response) => void response.end(`"${'x'.repeat(11 * 1024 * 1024)}"`)],
  ['answers another question', () => ({ id: 8, jsonrpc: '2.0', result: '0x0' })],
  ['answers nothing in particular', () => ({ id: 7, jsonrpc: '2.0' })],
  ['says that it is at its limit', () => ({ id: 7, jsonrpc: '2.0', error: { code: -32005, message: 'limit' } })],
])('asks the next endpoint when one %s [P-01]', async (_what, badly) => {
  expect(await ask(await nodesThat(badly, well), call('eth_blockNumber'))).toEqual(answered)
})

test('does not go where an endpoint sends it [P-01]', async () => {
  const [elsewhere, next] = await nodesThat(well, well)
  const [sends] = await nodesThat((_body, response) => void response.writeHead(307, { location: elsewhere?.url }).end())
  const upstream = [sends, next].filter((node) => node !== undefined)
  expect(await ask(upstream, call('eth_blockNumber'))).toEqual(answered)
  expect(elsewhere?.asked).toEqual([])
})

test('gives back an error of the chain itself without asking anybody else', async () => {
  const error = { code: 3, message: 'execution reverted', data: '0x08c379a0' }
  const upstream = await nodesThat(() => ({ id: 7, jsonrpc: '2.0', error }), well)
  expect(await ask(upstream, call('eth_call', [{}, 'latest']))).toEqual({
    status: 200,
    body: { id: 7, jsonrpc: '2.0', error },
  })
  expect(upstream[1]?.asked).toEqual([])
})

test('says that the chain is away when no endpoint answers [P-01]', async () => {
  const down: RpcBehaviour = (_body, response) => void response.destroy()
  const { status, body } = await ask(await nodesThat(down, down), call('eth_blockNumber'))
  expect([status, body]).toEqual([
    503,
    { status: 'FAILED', reasons: [{ field: 'chainId', description: 'The chain does not answer.' }] },
  ])
})

test('sends a transaction to one endpoint only, also when its answer is lost [P-02]', async () => {
  const upstream = await nodesThat((_body, response) => void response.destroy(), well)
  const { status } = await ask(upstream, call('eth_sendRawTransaction', ['0x02']))
  expect(status).toBe(503)
  expect(upstream.map(({ asked }) => asked.length)).toEqual([1, 0])
})

test.each([
  ['eth_chainId', '0x7a69'],
  ['net_version', '31337'],
  ['net_listening', true],
])('answers %s itself', async (method, result) => {
  const upstream = await nodesThat(well)
  expect((await ask(upstream, call(method))).body).toEqual({ id: 7, jsonrpc: '2.0', result })
  expect(upstream[0]?.asked).toEqual([])
})

test.each([
  'debug_traceTransaction',
  'admin_peers',
  'personal_unlockAccount',
  'miner_start',
  'anvil_setBalance',
  'eth_sendTransaction',
  'eth_sign',
  'eth_accounts',
  'wallet_getCapabilities',
  'ETH_CALL',
  ' eth_call',
  'eth_call\u0000',
  '__proto__',
])('does not pass %j on [P-07]', async (method) => {
  const upstream = await nodesThat(well)
  expect((await ask(upstream, call(method))).body).toMatchObject({ id: 7, error: { code: -32601 } })
  expect(upstream[0]?.asked).toEqual([])
})

test.each([
  ['state overrides', 'eth_call', [{}, 'latest', {}]],
  ['more gas than a block has', 'eth_call', [{ gas: '0x2faf081' }, 'latest']],
  ['logs of too many blocks', 'eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x2712' }]],
])('does not ask a node for %s', async (_what, method, params) => {
  const upstream = await nodesThat(well)
  expect((await ask(upstream, call(method, params))).body).toMatchObject({ id: 7, error: { code: -32602 } })
  expect(upstream[0]?.asked).toEqual([])
})

test('counts a batch by its items, and answers it in its order [P-07]', async () => {
  const costs: number[] = []
  const upstream = await nodesThat(well)
  const batch = [call('eth_blockNumber', [], 1), call('debug_x', [], 2), null, call('eth_chainId', [], 3)]
  const { body } = await ask(upstream, batch, { onCost: (cost) => costs.push(cost) })
  expect(body).toMatchObject([{ id: 1, result: '0x2a' }, { id: 2, error: {} }, { id: null, error: {} }, { id: 3 }])
  expect(costs).toEqual([4])
})

test.each([
  ['an empty batch', []],
  ['a batch of 21', Array.from({ length: 21 }, () => call('eth_blockNumber'))],
])('refuses %s [P-07]', async (_what, batch) => {
  expect((await ask(await nodesThat(well), batch)).status).toBe(413)
})

test('refuses a chain that is not configured', async () => {
  const { status, body } = await ask([], call('eth_blockNumber'), { chainId: 'eip155:1' })
  expect([status, body]).toMatchObject([400, { reasons: [{ field: 'chainId' }] }])
})
