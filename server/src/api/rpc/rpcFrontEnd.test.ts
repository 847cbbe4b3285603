import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startAnvil } from '@latchkey/devnet'
import { createTestClient, http, publicActions, walletActions } from 'viem'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { getField } from '../../kit/runtime/getField.ts'
import { startTestServer } from '../../testing/index.ts'

const projectId = 'ab'.repeat(16)
const payer = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const receiver = '0x00000000000000000000000000000000000f0e0d'
/** Blocks at least so far below the head are cached. */
const finalDepth = 3
const payments = 6

type Node = Awaited<ReturnType<typeof startAnvil>>
type FrontEnd = Awaited<ReturnType<typeof startFrontEnd>>

let node: Node
let frontEnd: FrontEnd
let server: Awaited<ReturnType<typeof startTestServer>>

beforeAll(async () => {
  node = await startAnvil({ chainId: 31_337, port: 0 })
  const client = createTestClient({ mode: 'anvil', account: payer, transport: http(node.rpcUrl), pollingInterval: 10 })
    .extend(publicActions)
    .extend(walletActions)
  for (let value = 1n; value <= payments; value += 1n) {
    const hash = await client.sendTransaction({ chain: null, to: receiver, value })
    await client.waitForTransactionReceipt({ hash })
  }
  await client.mine({ blocks: finalDepth })
  frontEnd = await startFrontEnd(node.rpcUrl)
  server = await startTestServer({ services: ['api'], chains: [chainAt(frontEnd.url)] })
})
afterAll(async () => {
  await server.close()
  await frontEnd.close()
  await node.close()
})

function chainAt(rpcUrl: string) {
  return {
    caipNetworkId: 'eip155:31337' as const,
    name: 'Local',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: [rpcUrl],
    tokens: [],
    index: { from: 0 },
  }
}

/**
 * Starts a front end of a node in the manner of eRPC: one path per chain, single requests and batches, responses of a batch in
 * any order and in parts of its own, and a cache of final blocks.
 */
async function startFrontEnd(rpcUrl: string) {
  const path = '/main/evm/31337'
  const cache = new Map<string, unknown>()
  let hits = 0
  let upstreamBatches = 0

  async function respond(request: unknown, head: number): Promise<object> {
    const [id, method, params] = ['id', 'method', 'params'].map((key) => getField(request, key))
    const key = JSON.stringify([method, params])
    const known = cache.get(key)
    if (known !== undefined) hits += 1
    const result = known ?? (await callNode(rpcUrl, [{ jsonrpc: '2.0', id: 1, method, params }]))[0]
    const isOfBlock = method === 'eth_getBlockByNumber' || method === 'eth_getBlockReceipts'
    const block = Number(Array.isArray(params) ? params[0] : Number.NaN)
    if (isOfBlock && block <= head - finalDepth) cache.set(key, result)
    return { jsonrpc: '2.0', id, ...pickOutcome(result), fromCache: known !== undefined }
  }

  const listener = createServer((request, response) => {
    void (async () => {
      let text = ''
      for await (const chunk of request) text += String(chunk)
      if (request.url !== path || request.method !== 'POST') return void response.writeHead(404).end()
      const body: unknown = JSON.parse(text)
      const [latest] = await callNode(rpcUrl, [{ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }])
      const head = Number(getField(latest, 'result'))
      if (Array.isArray(body)) upstreamBatches += 1
      const responses = Array.isArray(body)
        ? (await Promise.all(body.map((each) => respond(each, head)))).toReversed()
        : await respond(body, head)
      response.setHeader('content-type', 'application/json').end(JSON.stringify(responses))
    })()
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${portOf(listener)}${path}`,
    counts: () => ({ hits, upstreamBatches }),
    async close() {
      listener.closeAllConnections()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}

function portOf(listener: Server): number {
  // A server that listens on a port has an address of this form.
  return (listener.address() as AddressInfo).port
}

async function callNode(rpcUrl: string, batch: readonly object[]): Promise<readonly unknown[]> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(rpcUrl, { method: 'POST', headers, body: JSON.stringify(batch) })
  return (await response.json()) as readonly unknown[]
}

function pickOutcome(response: unknown): object {
  const error = getField(response, 'error')
  return error === undefined ? { result: getField(response, 'result') } : { error }
}

async function readHistory(url: string): Promise<readonly unknown[]> {
  const response = await fetch(`${url}/v1/account/${receiver}/history?projectId=${projectId}&chainId=eip155:31337`)
  return getField(await response.json(), 'data') as readonly unknown[]
}

async function readBalance(url: string): Promise<unknown> {
  const response = await fetch(`${url}/v1/account/${receiver}/balance?projectId=${projectId}&currency=usd`)
  const [balance] = getField(await response.json(), 'balances') as readonly unknown[]
  return getField(balance, 'quantity')
}

test('a server behind an RPC front end has the same history and balance as one at the node', async () => {
  const direct = await startTestServer({ services: ['api'], chains: [chainAt(node.rpcUrl)] })
  try {
    for (const { url } of [direct, server]) await vi.waitUntil(async () => (await readHistory(url)).length === payments)
    expect(await readHistory(server.url)).toStrictEqual(await readHistory(direct.url))
    const [through, without] = await Promise.all([server, direct].map(({ url }) => readBalance(url)))
    expect(through).toMatchObject({ numeric: '0.000000000000000021' })
    expect(through).toStrictEqual(without)
    expect(frontEnd.counts().upstreamBatches).toBeGreaterThan(0)
  } finally {
    await direct.close()
  }
})

test('a second server reads final blocks from the cache of the front end', async () => {
  await vi.waitUntil(async () => (await readHistory(server.url)).length === payments)
  const before = frontEnd.counts().hits
  const second = await startTestServer({ services: ['api'], chains: [chainAt(frontEnd.url)] })
  try {
    await vi.waitUntil(async () => (await readHistory(second.url)).length === payments)
    expect(frontEnd.counts().hits).toBeGreaterThan(before)
  } finally {
    await second.close()
  }
})

test('the RPC proxy passes batches through the front end and matches its unordered responses by id', async () => {
  const body = [
    { jsonrpc: '2.0', id: 'a', method: 'eth_chainId', params: [] },
    { jsonrpc: '2.0', id: 'b', method: 'eth_getBalance', params: [receiver, 'latest'] },
    { jsonrpc: '2.0', id: 'c', method: 'eth_getBalance', params: ['no address', 'latest'] },
  ]
  const response = await fetch(`${server.url}/v1?chainId=eip155:31337&projectId=${projectId}`, {
    method: 'POST',
    body: JSON.stringify(body),
  })
  const responses = (await response.json()) as readonly unknown[]
  const resultOf = (id: string): unknown => pickOutcome(responses.find((each) => getField(each, 'id') === id))
  expect(resultOf('a')).toStrictEqual({ result: '0x7a69' })
  expect(resultOf('b')).toStrictEqual({ result: '0x15' })
  expect(getField(resultOf('c'), 'error')).toBeDefined()
})
