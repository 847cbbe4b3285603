import { afterEach, expect, test } from 'vitest'
import type { Chain } from '../../kit/chain/chains.ts'
import type { RpcProvider } from '../../kit/chain/budgets/rpcProvider.ts'
import { getField } from '../../kit/runtime/getField.ts'
import { startTestServer } from '../../testing/index.ts'
import { startRpcNode, type RpcNode } from '../../testing/rpcNode.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const head = 1_000
const toHex = (number: number): string => `0x${number.toString(16)}`

/** The result of a node for a request, which names its parameters. */
function respondTo(request: unknown): object {
  const [method, params] = [getField(request, 'method'), getField(request, 'params') as readonly unknown[]]
  const result =
    method === 'eth_chainId'
      ? '0x1'
      : method === 'eth_blockNumber'
        ? toHex(head)
        : method === 'eth_getBlockByNumber'
          ? { number: params[0] === 'latest' ? toHex(head) : params[0] }
          : `of ${JSON.stringify(params)}`
  return { id: getField(request, 'id'), jsonrpc: '2.0', result }
}

async function open({ rpcProviders = () => [] }: { rpcProviders?: (url: string) => readonly RpcProvider[] } = {}) {
  const node = await startRpcNode((body) => (Array.isArray(body) ? body.map(respondTo) : respondTo(body)))
  closers.push(node.close)
  const chain: Chain = {
    caipNetworkId: 'eip155:1',
    name: 'Ethereum',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: [node.url],
    tokens: [],
  }
  const time = { now: 1_000_000 }
  const server = await startTestServer({
    clock: { now: () => time.now },
    chains: [chain],
    rpcProviders: rpcProviders(node.url),
    metrics: { host: '127.0.0.1', port: 0 },
  })
  closers.push(server.close)
  const post = (body: unknown): Promise<Response> =>
    fetch(`${server.url}/v1?chainId=eip155:1&projectId=${'ab'.repeat(16)}`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
  const readMetrics = async (): Promise<string> => (await fetch(server.metricsUrl ?? '')).text()
  return { node, time, post, readMetrics }
}

/** The calls that a node got, apart from the check of its chain. A batch counts its calls. */
function listCalls(node: RpcNode): readonly string[] {
  return node.requests.flat().flatMap((request) => {
    const method = String(getField(request, 'method'))
    return method === 'eth_chainId' ? [] : [method]
  })
}

const createRpcRequest = (method: string, params: readonly unknown[] = [], id = 1): object => ({
  id,
  jsonrpc: '2.0',
  method,
  params,
})

test('concurrent clients with the same request cost one call, and their batches one HTTP request', async () => {
  const { node, post, readMetrics } = await open()
  const balance = (address: string, id: number): object => createRpcRequest('eth_getBalance', [address, 'latest'], id)
  await Promise.all(Array.from({ length: 30 }, (_, id) => post(balance('0xa', id))))
  const shared = listCalls(node).length
  expect(shared).toBeLessThan(30)
  const requests = node.requests.length
  await post([balance('0xb', 1), balance('0xc', 2), balance('0xd', 3)])
  expect(node.requests.length).toBe(requests + 1)
  expect(listCalls(node).length).toBe(shared + 3)
  const metrics = await readMetrics()
  expect(metrics).toContain(`latchkey_rpc_calls_total{chain="eip155:1",source="endpoint"} ${shared + 3}`)
  expect(metrics).toContain(`latchkey_rpc_calls_total{chain="eip155:1",source="shared"} ${30 - shared}`)
})

test('a final result is read once, a recent one each time', async () => {
  const { node, time, post, readMetrics } = await open()
  await post(createRpcRequest('eth_blockNumber'))
  const before = listCalls(node).length
  for (let each = 0; each < 5; each += 1) {
    time.now += 60_000
    await post(createRpcRequest('eth_getBlockByNumber', [toHex(head - 128), false]))
  }
  expect(listCalls(node).length).toBe(before + 1)
  for (let each = 0; each < 5; each += 1)
    await post(createRpcRequest('eth_getBlockByNumber', [toHex(head - 127), false]))
  expect(listCalls(node).length).toBe(before + 6)
  expect(await readMetrics()).toContain('latchkey_rpc_calls_total{chain="eip155:1",source="cache"} 4')
})

test('the head of the chain is read twice a second, however many clients poll it', async () => {
  const { node, time, post } = await open()
  for (let each = 0; each < 20; each += 1) {
    await post(createRpcRequest('eth_blockNumber'))
    await post(createRpcRequest('eth_gasPrice'))
    time.now += 50
  }
  expect(listCalls(node)).toEqual(['eth_blockNumber', 'eth_gasPrice', 'eth_blockNumber', 'eth_gasPrice'])
})

test('the head of the chain is read again after a transaction was sent', async () => {
  const { node, post } = await open()
  await post(createRpcRequest('eth_blockNumber'))
  await post(createRpcRequest('eth_sendRawTransaction', ['0x02']))
  await post(createRpcRequest('eth_blockNumber'))
  expect(listCalls(node)).toEqual(['eth_blockNumber', 'eth_sendRawTransaction', 'eth_blockNumber'])
})

test('a request for logs up to the head does not read the head each time', async () => {
  const { node, post } = await open()
  const logs = createRpcRequest('eth_getLogs', [{ fromBlock: toHex(head - 10) }])
  await post(logs)
  await post(logs)
  expect(listCalls(node)).toEqual(['eth_blockNumber', 'eth_getLogs', 'eth_getLogs'])
})

test(
  'clients get status 503 with Retry-After once the budget of all providers is used up',
  { tags: 'faults' },
  async () => {
    const { node, time, post } = await open({
      rpcProviders: (url) => [{ name: 'paid', endpoints: [url], unitsPerSecond: 2 }],
    })
    time.now += 10_000
    const balance = createRpcRequest('eth_getBalance', ['0xa', 'latest'])
    const responses = [await post(balance), await post(balance), await post(balance)]
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 503])
    expect(responses[2]?.headers.get('retry-after')).toBe('1')
    expect(await responses[2]?.json()).toEqual({
      status: 'FAILED',
      reasons: [{ field: 'chainId', description: 'All endpoints are at their limit. Try again in 1 seconds.' }],
    })
    const calls = listCalls(node).length
    time.now += 1_000
    expect((await post(balance)).status).toBe(200)
    expect(listCalls(node).length).toBe(calls + 1)
  },
)
