import { getUserOperationHash } from 'viem/account-abstraction'
import { afterEach, expect, test, vi } from 'vitest'
import type { Chain } from '../../kit/chain/chains.ts'
import { mountEndpoints } from '../../kit/http/defineEndpoint.ts'
import { createHttp } from '../../kit/http/createHttp.ts'
import { createProjects } from '../../kit/http/projects.ts'
import { startRpcNode, type RpcBehaviour, type RpcNode } from '../../testing/rpcNode.ts'
import { createSmartAccountEndpoints } from './smartAccountEndpoints.ts'

const entryPoint = '0x0000000071727De22E5E9d8BAf0edAc6f37da032'
const factory = '0x48E9238125996f8378bFc49b330a49889CCe8aB9'
const nodes: RpcNode[] = []
afterEach(async () => void (await Promise.all(nodes.splice(0).map((node) => node.close()))))

async function startUpstream(behave: RpcBehaviour): Promise<RpcNode> {
  const node = await startRpcNode(behave)
  nodes.push(node)
  return node
}

async function sendRequest(
  upstream: RpcNode,
  body: unknown,
  { path = 'bundler', chainId = 'eip155:31337', paid = true, reserve = async () => true } = {},
) {
  const chain: Omit<Chain, 'caipNetworkId'> = {
    name: 'Local',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: ['http://127.0.0.1:1'],
    tokens: [],
  }
  const smartAccounts = { entryPoint, factory, bundlerUrl: upstream.url, ...(paid && { paymasterUrl: upstream.url }) }
  const chains: readonly Chain[] = [
    { ...chain, caipNetworkId: 'eip155:31337', smartAccounts },
    { ...chain, caipNetworkId: 'eip155:1' },
  ]
  const app = await createHttp({ logLevel: 'silent', projects: createProjects('any') })
  mountEndpoints(app, createSmartAccountEndpoints({ chains, budget: { reserve } }), () => undefined)
  const payload = typeof body === 'string' ? body : JSON.stringify(body)
  const reply = await app.inject({ method: 'POST', url: `/v1/${path}?chainId=${chainId}`, payload })
  return { status: reply.statusCode, body: reply.json() as unknown }
}

const createRpcRequest = (method: string, params: unknown = []) => ({ id: 7, jsonrpc: '2.0', method, params })
const respondNormally: RpcBehaviour = (body) => ({
  id: Reflect.get(Object(body), 'id'),
  jsonrpc: '2.0',
  result: '0x2a',
})

const operation = {
  sender: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  nonce: '0x1',
  callData: '0x1234',
  callGasLimit: '0x10',
  verificationGasLimit: '0x20',
  preVerificationGas: '0x30',
  maxFeePerGas: '0x40',
  maxPriorityFeePerGas: '0x50',
  signature: '0xab',
} as const

test.each([
  ['bundler', 'eth_sendUserOperation', [operation, entryPoint]],
  ['bundler', 'eth_estimateUserOperationGas', [operation, entryPoint.toLowerCase()]],
  ['bundler', 'eth_getUserOperationReceipt', ['0x11']],
  ['bundler', 'eth_getUserOperationByHash', ['0x11']],
  ['bundler', 'eth_supportedEntryPoints', []],
  ['paymaster', 'pm_getPaymasterStubData', [operation, entryPoint, '0x7a69', {}]],
  ['paymaster', 'pm_getPaymasterData', [operation, entryPoint, '0x7a69', {}]],
])('%s receives %s', async (path, method, params) => {
  const upstream = await startUpstream(respondNormally)
  const request = createRpcRequest(method, params)
  expect(await sendRequest(upstream, request, { path })).toEqual({
    status: 200,
    body: { id: 7, jsonrpc: '2.0', result: '0x2a' },
  })
  expect(upstream.requests).toEqual([request])
})

test('final data beyond the budget is refused, and the paymaster is not asked [I-22]', async () => {
  const upstream = await startUpstream(respondNormally)
  const request = createRpcRequest('pm_getPaymasterData', [operation, entryPoint, '0x7a69', {}])
  const { body } = await sendRequest(upstream, request, { path: 'paymaster', reserve: async () => false })
  expect(body).toMatchObject({ error: { code: -32_602, message: expect.stringContaining('not paid') as string } })
  expect(upstream.requests).toEqual([])
})

test('an operation without gas limits is not paid for [I-22]', async () => {
  const upstream = await startUpstream(respondNormally)
  const { callGasLimit: _, ...unlimited } = operation
  const request = createRpcRequest('pm_getPaymasterData', [unlimited, entryPoint, '0x7a69', {}])
  const { body } = await sendRequest(upstream, request, { path: 'paymaster' })
  expect(body).toMatchObject({ error: { code: -32_602 } })
  expect(upstream.requests).toEqual([])
})

test('stub data that is already final is refused [I-22]', async () => {
  const upstream = await startUpstream((body) => ({
    id: Reflect.get(Object(body), 'id'),
    jsonrpc: '2.0',
    result: { paymaster: entryPoint, paymasterData: '0x12', isFinal: true },
  }))
  const request = createRpcRequest('pm_getPaymasterStubData', [operation, entryPoint, '0x7a69', {}])
  expect((await sendRequest(upstream, request, { path: 'paymaster' })).body).toMatchObject({ error: { code: -32_602 } })
})

test.each([
  ['bundler', 'debug_bundler_clearState'],
  ['bundler', 'pimlico_sendUserOperationNow'],
  ['bundler', 'eth_sendRawTransaction'],
  ['bundler', 'pm_getPaymasterData'],
  ['paymaster', 'eth_sendUserOperation'],
  ['paymaster', 'toString'],
])('%s never receives %s', async (path, method) => {
  const upstream = await startUpstream(respondNormally)
  const received = await sendRequest(upstream, createRpcRequest(method, [operation, entryPoint]), { path })
  expect(received.body).toMatchObject({ error: { code: -32_601 } })
  expect(upstream.requests).toEqual([])
})

test.each(['eth_sendUserOperation', 'eth_estimateUserOperationGas'])(
  "%s is rejected for another entry point than the chain's",
  async (method) => {
    const upstream = await startUpstream(respondNormally)
    for (const params of [[operation, factory], [operation], {}, null]) {
      expect((await sendRequest(upstream, createRpcRequest(method, params))).body).toMatchObject({
        error: { code: -32_602 },
      })
    }
    expect(upstream.requests).toEqual([])
  },
)

test('user operation that the bundler already has counts as sent', async () => {
  const known: RpcBehaviour = (body) => ({
    id: Reflect.get(Object(body), 'id'),
    jsonrpc: '2.0',
    error: { code: -32_602, message: 'Already known' },
  })
  const upstream = await startUpstream(known)
  const hash = getUserOperationHash({
    chainId: 31_337,
    entryPointAddress: entryPoint,
    entryPointVersion: '0.7',
    userOperation: {
      ...operation,
      nonce: 1n,
      callGasLimit: 0x10n,
      verificationGasLimit: 0x20n,
      preVerificationGas: 0x30n,
      maxFeePerGas: 0x40n,
      maxPriorityFeePerGas: 0x50n,
    },
  })
  expect(
    (await sendRequest(upstream, createRpcRequest('eth_sendUserOperation', [operation, entryPoint]))).body,
  ).toMatchObject({
    result: hash,
  })
  // An invalid operation is not reported as sent.
  const odd = createRpcRequest('eth_sendUserOperation', [{ ...operation, nonce: 'one' }, entryPoint])
  expect((await sendRequest(upstream, odd)).body).toMatchObject({ error: { message: 'Already known' } })
  const estimate = createRpcRequest('eth_estimateUserOperationGas', [operation, entryPoint])
  expect((await sendRequest(upstream, estimate)).body).toMatchObject({ error: { message: 'Already known' } })
})

test('bundler error is returned unchanged', async () => {
  const error = { code: -32_521, message: 'reverted', data: '0x08c379a0' }
  const upstream = await startUpstream((body) => ({ id: Reflect.get(Object(body), 'id'), jsonrpc: '2.0', error }))
  const response = await sendRequest(upstream, createRpcRequest('eth_sendUserOperation', [operation, entryPoint]))
  expect(response).toEqual({ status: 200, body: { id: 7, jsonrpc: '2.0', error } })
})

test('user operation without a response is not sent again', async () => {
  const upstream = await startUpstream((_body, response) => void response.destroy())
  const response = await sendRequest(upstream, createRpcRequest('eth_sendUserOperation', [operation, entryPoint]))
  expect(response).toMatchObject({ status: 503, body: { reasons: [{ field: 'chainId' }] } })
  expect(upstream.requests).toHaveLength(1)
})

test('bundler request has a timeout of 30 seconds, three times that of a node', async () => {
  const given = vi.spyOn(AbortSignal, 'timeout')
  const upstream = await startUpstream(respondNormally)
  await sendRequest(upstream, createRpcRequest('eth_estimateUserOperationGas', [operation, entryPoint]))
  expect(Math.min(...given.mock.calls.map(([milliseconds]) => milliseconds))).toBe(30_000)
  given.mockRestore()
})

test('eth_chainId sends no request to the bundler', async () => {
  const upstream = await startUpstream(respondNormally)
  expect((await sendRequest(upstream, createRpcRequest('eth_chainId'))).body).toMatchObject({ result: '0x7a69' })
  expect(upstream.requests).toEqual([])
})

test('chain without a bundler or a paymaster is rejected', async () => {
  const upstream = await startUpstream(respondNormally)
  const request = createRpcRequest('eth_supportedEntryPoints')
  expect(await sendRequest(upstream, request, { chainId: 'eip155:1' })).toMatchObject({ status: 400 })
  expect(await sendRequest(upstream, request, { chainId: 'eip155:2' })).toMatchObject({ status: 400 })
  expect(
    await sendRequest(upstream, createRpcRequest('pm_getPaymasterData'), { path: 'paymaster', paid: false }),
  ).toMatchObject({
    status: 400,
  })
})

test.each(['[]', '{}', 'null', '[{"id":1,"jsonrpc":"2.0","method":"eth_chainId"}]'])(
  'body %s is rejected',
  async (body) => {
    const upstream = await startUpstream(respondNormally)
    expect((await sendRequest(upstream, body)).body).toMatchObject({ error: { code: -32_600 } })
  },
)
