import { keccak256 } from 'viem'
import { afterEach, expect, test } from 'vitest'
import type { Chain } from '../../kit/chain/chains.ts'
import { mountEndpoints } from '../../kit/http/defineEndpoint.ts'
import { systemClock } from '../../kit/runtime/clock.ts'
import { createEndpointPools } from '../../kit/chain/endpointPools.ts'
import { createHttp } from '../../kit/http/createHttp.ts'
import { createProjects } from '../../kit/http/projects.ts'
import { startRpcNode, type RpcBehaviour, type RpcNode } from '../../testing/rpcNode.ts'
import { createRpcResponder } from './rpcResponder.ts'
import { createRpcEndpoints } from './rpcEndpoints.ts'

const nodes: RpcNode[] = []

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()))
})

async function nodesThat(...behaviours: readonly RpcBehaviour[]): Promise<readonly RpcNode[]> {
  const started = await Promise.all(behaviours.map(startRpcNode))
  nodes.push(...started)
  return started
}

type Options = { chainId?: string; onCost?: (cost: number) => void }

function createClient(upstream: readonly RpcNode[], { chainId, onCost = (cost) => void cost }: Options = {}) {
  const ids = ['eip155:31337', 'bip122:000000000019d6689c085ae165831e93'] as const
  const chains = ids.map((caipNetworkId): Chain => ({
    caipNetworkId,
    name: 'Local',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: upstream.map(({ url }) => url),
    tokens: [],
  }))
  const responder = createRpcResponder({ pools: createEndpointPools(systemClock), clock: systemClock })
  const endpoints = createRpcEndpoints({ chains, responder })
  async function one(body: unknown) {
    const app = await createHttp({ logLevel: 'silent', projects: createProjects('any') })
    mountEndpoints(app, endpoints, (_request, { cost = 1 } = {}) => onCost(cost))
    const payload = typeof body === 'string' ? body : JSON.stringify(body)
    const url = `/v1?chainId=${chainId ?? ids[0]}`
    const reply = await app.inject({ method: 'POST', url, payload })
    return { status: reply.statusCode, body: reply.json() as unknown }
  }
  return {
    one,
    /** Sends the requests one after the other. */
    async many(bodies: readonly unknown[]) {
      const responses: unknown[] = []
      for (const each of bodies) responses.push((await one(each)).body)
      return responses
    },
  }
}

const sendRequest = (upstream: readonly RpcNode[], body: unknown, options: Options = {}) =>
  createClient(upstream, options).one(body)

const createRpcRequest = (method: string, params: unknown = [], id = 7): object => ({
  id,
  jsonrpc: '2.0',
  method,
  params,
})
const respondNormally: RpcBehaviour = (body) => ({
  id: Reflect.get(Object(body), 'id'),
  jsonrpc: '2.0',
  result: '0x2a',
})
const expected = { status: 200, body: { id: 7, jsonrpc: '2.0', result: '0x2a' } }

test('RPC forwards a request and returns the response [R7.3.1]', async () => {
  const [node, ...rest] = await nodesThat(respondNormally)
  const request = createRpcRequest('eth_getBalance', ['0x00', 'latest'])
  expect(await sendRequest(node === undefined ? [] : [node, ...rest], request)).toEqual(expected)
  expect(node?.requests).toEqual([request])
})

test.each<[string, RpcBehaviour]>([
  ['breaks off', (_body, response) => void response.destroy()],
  ['responds with 500', (_body, response) => void response.writeHead(500).end('{}')],
  ['responds with 429', (_body, response) => void response.writeHead(429).end('{}')],
  ['responds with a web page', (_body, response) => void response.end('<!doctype html>')],
  ['sends a response that is too large', (_body, response) => void response.end(`"${'x'.repeat(11 * 1024 * 1024)}"`)],
  ['responds to another request', () => ({ id: 8, jsonrpc: '2.0', result: '0x0' })],
  ['responds without a result', () => ({ id: 7, jsonrpc: '2.0' })],
  ['says that it is at its limit', () => ({ id: 7, jsonrpc: '2.0', error: { code: -32005, message: 'limit' } })],
])('RPC tries the next endpoint if one %s [P-01]', async (_what, badly) => {
  expect(await sendRequest(await nodesThat(badly, respondNormally), createRpcRequest('eth_blockNumber'))).toEqual(
    expected,
  )
})

test('RPC does not follow redirects of an endpoint [P-01]', async () => {
  const [elsewhere, next] = await nodesThat(respondNormally, respondNormally)
  const [sends] = await nodesThat((_body, response) => void response.writeHead(307, { location: elsewhere?.url }).end())
  const upstream = [sends, next].filter((node) => node !== undefined)
  expect(await sendRequest(upstream, createRpcRequest('eth_blockNumber'))).toEqual(expected)
  expect(elsewhere?.requests).toEqual([])
})

test('RPC returns an error of the chain without trying another endpoint', async () => {
  const error = { code: 3, message: 'execution reverted', data: '0x08c379a0' }
  const upstream = await nodesThat(() => ({ id: 7, jsonrpc: '2.0', error }), respondNormally)
  expect(await sendRequest(upstream, createRpcRequest('eth_call', [{}, 'latest']))).toEqual({
    status: 200,
    body: { id: 7, jsonrpc: '2.0', error },
  })
  expect(upstream[1]?.requests).toEqual([])
})

test('RPC fails with 503 if no endpoint responds [P-01]', async () => {
  const down: RpcBehaviour = (_body, response) => void response.destroy()
  const { status, body } = await sendRequest(await nodesThat(down, down), createRpcRequest('eth_blockNumber'))
  expect([status, body]).toEqual([
    503,
    { status: 'FAILED', reasons: [{ field: 'chainId', description: 'The chain is not available.' }] },
  ])
})

test('RPC sends a transaction to a single endpoint, even if the response is lost [P-02]', async () => {
  const upstream = await nodesThat((_body, response) => void response.destroy(), respondNormally)
  const { status } = await sendRequest(upstream, createRpcRequest('eth_sendRawTransaction', ['0x02']))
  expect(status).toBe(503)
  expect(upstream.map(({ requests }) => requests.length)).toEqual([1, 0])
})

test.each([
  ['eth_chainId', '0x7a69'],
  ['net_version', '31337'],
  ['net_listening', true],
])('RPC serves %s without a node', async (method, result) => {
  const upstream = await nodesThat(respondNormally)
  expect((await sendRequest(upstream, createRpcRequest(method))).body).toEqual({ id: 7, jsonrpc: '2.0', result })
  expect(upstream[0]?.requests).toEqual([])
})

test.each([
  ['already known', -32000],
  ['transaction already imported', -32603],
])('RPC treats the error "%s" of a sent transaction as success [P-02]', async (message, code) => {
  const upstream = await nodesThat(() => ({ id: 7, jsonrpc: '2.0', error: { code, message } }), respondNormally)
  const { body } = await sendRequest(upstream, createRpcRequest('eth_sendRawTransaction', ['0x02']))
  expect(body).toEqual({ id: 7, jsonrpc: '2.0', result: keccak256('0x02') })
  expect(upstream.map(({ requests }) => requests.length)).toEqual([1, 0])
})

test.each([
  ['was mined already', { hash: keccak256('0x02') }, { result: keccak256('0x02') }],
  ['lost its place to another', null, { error: { code: -32000 } }],
])('RPC checks whether a transaction with a used nonce %s [P-02]', async (_what, found, received) => {
  const error = { code: -32000, message: 'nonce too low' }
  const upstream = await nodesThat((body) => {
    const { id, method } = Object(body) as { id: number; method: string }
    return { id, jsonrpc: '2.0', ...(method === 'eth_sendRawTransaction' ? { error } : { result: found }) }
  })
  expect((await sendRequest(upstream, createRpcRequest('eth_sendRawTransaction', ['0x02']))).body).toMatchObject(
    received,
  )
})

test('RPC forwards only the known method to chains without JSON-RPC [R7.3.1]', async () => {
  const request = { id: '1', jsonrpc: '2.0', method: 'getAddressBalance', params: { address: 'bc1q' } }
  const chainId = 'bip122:000000000019d6689c085ae165831e93'
  const upstream = await nodesThat(() => ({ id: '1', jsonrpc: '2.0', result: '42' }))
  expect((await sendRequest(upstream, request, { chainId })).body).toEqual({ id: '1', jsonrpc: '2.0', result: '42' })
  const other = { ...request, method: 'eth_call' }
  expect((await sendRequest(upstream, other, { chainId })).body).toMatchObject({ error: { code: -32601 } })
  expect(upstream[0]?.requests).toEqual([request])
})

test('RPC requests an immutable result once and returns it with the id of each request [P-09]', async () => {
  const upstream = await nodesThat(respondNormally)
  const { many } = createClient(upstream)
  const block = (id: number): object => createRpcRequest('eth_getBlockByHash', ['0xaa', false], id)
  expect(await many([block(1), block(2)])).toEqual([
    { id: 1, jsonrpc: '2.0', result: '0x2a' },
    { id: 2, jsonrpc: '2.0', result: '0x2a' },
  ])
  expect(upstream[0]?.requests).toHaveLength(1)
})

test('RPC batch replaces responses beyond 10 MiB with errors', async () => {
  const upstream = await nodesThat((body) => ({ ...Object(body), result: 'x'.repeat(4 * 1024 * 1024) }))
  const { body } = await sendRequest(
    upstream,
    [1, 2, 3].map((id) => createRpcRequest('eth_call', [{}, 'latest'], id)),
  )
  expect(body).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3, error: { code: -32005 } }])
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
])('RPC does not forward %j [P-07]', async (method) => {
  const upstream = await nodesThat(respondNormally)
  expect((await sendRequest(upstream, createRpcRequest(method))).body).toMatchObject({ id: 7, error: { code: -32601 } })
  expect(upstream[0]?.requests).toEqual([])
})

test.each([
  ['state overrides', 'eth_call', [{}, 'latest', {}]],
  ['overrides of the block', 'eth_call', [{}, 'latest', null, {}]],
  ['parameters by name', 'eth_call', { transaction: {}, stateOverrides: {} }],
  ['logs of all blocks', 'eth_getLogs', [{ fromBlock: 'earliest', toBlock: '0x2712' }]],
  ['a filter over all blocks', 'eth_newFilter', [{ fromBlock: 'earliest', toBlock: '0x2712' }]],
  [
    'logs of all blocks beside an empty block hash',
    'eth_getLogs',
    [{ blockHash: null, fromBlock: '0x0', toBlock: '0x2712' }],
  ],
  [
    'a filter over all blocks beside an empty hash',
    'eth_newFilter',
    [{ blockHash: null, fromBlock: 'earliest', toBlock: '0x2712' }],
  ],
  ['logs of a block whose hash is no hash', 'eth_getLogs', [{ blockHash: '', fromBlock: '0x0', toBlock: 'latest' }]],
  ['logs from a block that is a number', 'eth_getLogs', [{ fromBlock: 0, toBlock: 'latest' }]],
  ['logs from a block in decimal digits', 'eth_getLogs', [{ fromBlock: '0', toBlock: 'latest' }]],
  ['logs to an unknown block', 'eth_getLogs', [{ fromBlock: 'latest', toBlock: 'Latest' }]],
  ['more gas than a block has', 'eth_call', [{ gas: '0x2faf081' }, 'latest']],
  ['gas that is a number', 'eth_call', [{ gas: 100_000_000 }, 'latest']],
  ['gas in decimal digits', 'eth_estimateGas', [{ gas: '100000000' }]],
  ['logs of too many blocks', 'eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x2712' }]],
  ['a simulation of no calls', 'eth_simulateV1', [{ blockStateCalls: [{}] }]],
  ['a simulation of blocks', 'eth_simulateV1', [{ blockStateCalls: [{ calls: [] }, { calls: [] }] }]],
  ['a long simulation', 'eth_simulateV1', [{ blockStateCalls: [{ calls: Array.from({ length: 33 }, () => ({})) }] }]],
  ['a simulation of another state', 'eth_simulateV1', [{ blockStateCalls: [{ calls: [], stateOverrides: {} }] }]],
  ['a simulation of another block', 'eth_simulateV1', [{ blockStateCalls: [{ calls: [], blockOverrides: {} }] }]],
  [
    'a simulation of more gas than a block has',
    'eth_simulateV1',
    [{ blockStateCalls: [{ calls: [{ gas: '0x2faf080' }, { gas: '0x1' }] }] }],
  ],
  ['a simulation with gas that is a number', 'eth_simulateV1', [{ blockStateCalls: [{ calls: [{ gas: 1e9 }] }] }]],
])('RPC rejects %s before it reaches a node', async (_what, method, params) => {
  const upstream = await nodesThat(respondNormally)
  expect((await sendRequest(upstream, createRpcRequest(method, params))).body).toMatchObject({
    id: 7,
    error: { code: -32602 },
  })
  expect(upstream[0]?.requests).toEqual([])
})

test('RPC reads the head before it forwards a log request with an open range', async () => {
  const upstream = await nodesThat((body) => ({
    id: Reflect.get(Object(body), 'id'),
    jsonrpc: '2.0',
    result: '0x9999',
  }))
  const { body } = await sendRequest(upstream, createRpcRequest('eth_getLogs', [{ fromBlock: '0x1' }]))
  expect(body).toMatchObject({ id: 7, error: { code: -32602 } })
  expect(upstream[0]?.requests).toMatchObject([{ method: 'eth_blockNumber' }])
})

test.each([
  ['of one block', { blockHash: `0x${'ab'.repeat(32)}` }],
  ['of the newest blocks', { fromBlock: 'finalized', toBlock: 'latest' }],
  ['of a range beside an empty hash', { blockHash: null, fromBlock: '0x1', toBlock: '0x2710' }],
  ['of a contract', { address: `0x${'ab'.repeat(20)}`, fromBlock: null, toBlock: null }],
])('RPC forwards a log request %s', async (_what, filter) => {
  const upstream = await nodesThat(respondNormally)
  expect((await sendRequest(upstream, createRpcRequest('eth_getLogs', [filter]))).body).toMatchObject({
    result: '0x2a',
  })
})

test('RPC batch counts each item against the rate limit and keeps its order [P-07]', async () => {
  const costs: number[] = []
  const upstream = await nodesThat(respondNormally)
  const batch = [
    createRpcRequest('eth_blockNumber', [], 1),
    createRpcRequest('debug_x', [], 2),
    null,
    createRpcRequest('eth_chainId', [], 3),
  ]
  const { body } = await sendRequest(upstream, batch, { onCost: (cost) => costs.push(cost) })
  expect(body).toMatchObject([{ id: 1, result: '0x2a' }, { id: 2, error: {} }, { id: null, error: {} }, { id: 3 }])
  expect(costs).toEqual([4])
})

test.each([
  ['an empty batch', []],
  ['a batch of 21', Array.from({ length: 21 }, () => createRpcRequest('eth_blockNumber'))],
])('RPC rejects %s [P-07]', async (_what, batch) => {
  expect((await sendRequest(await nodesThat(respondNormally), batch)).status).toBe(413)
})

test('RPC rejects a chain that is not configured', async () => {
  const { status, body } = await sendRequest([], createRpcRequest('eth_blockNumber'), { chainId: 'eip155:1' })
  expect([status, body]).toMatchObject([400, { reasons: [{ field: 'chainId' }] }])
})
