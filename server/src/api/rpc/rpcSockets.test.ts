import { startAnvil } from '@latchkey/devnet'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { getField } from '../../kit/runtime/getField.ts'
import { startTestServer } from '../../testing/index.ts'
import { startRpcNode } from '../../testing/rpcNode.ts'

type Server = Awaited<ReturnType<typeof startTestServer>>
type Message = { id?: unknown; result?: unknown; error?: { code: number }; params?: { result?: { number?: string } } }

const projectId = 'ab'.repeat(16)
const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }

let anvil: Awaited<ReturnType<typeof startAnvil>>
let server: Server

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 31_337, port: 0 })
  const chain = { nativeCurrency, rpcUrls: [anvil.rpcUrl], tokens: [] }
  server = await startTestServer({
    services: ['api'],
    chains: [
      { ...chain, caipNetworkId: 'eip155:31337', name: 'Local', wsUrls: [anvil.rpcUrl.replace('http', 'ws')] },
      { ...chain, caipNetworkId: 'eip155:2', name: 'Away', wsUrls: ['ws://127.0.0.1:1'] },
      { ...chain, caipNetworkId: 'eip155:3', name: 'Without' },
    ],
  })
})
afterAll(async () => {
  await server.close()
  await anvil.close()
})

function addressOf(path: string, query: Record<string, string> = {}): string {
  const all = new URLSearchParams({ projectId, chainId: 'eip155:31337', ...query })
  return `${server.url.replace('http', 'ws')}${path}?${all}`
}

async function connect(path = '/v1') {
  const socket = new WebSocket(addressOf(path))
  const messages: Message[] = []
  socket.on('message', (data) => messages.push(JSON.parse(String(data)) as Message))
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const request = (message: unknown): void =>
    socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  const responseTo = async (id: number): Promise<Message> => {
    await expect.poll(() => messages.some((each) => each.id === id)).toBe(true)
    return messages.find((each) => each.id === id) ?? {}
  }
  return { socket, messages, request, responseTo }
}

async function getRefusal(query: Record<string, string>): Promise<{ status: number; text: string }> {
  const socket = new WebSocket(addressOf('/ws', query))
  return new Promise((resolve, reject) => {
    socket.once('open', () => reject(new Error('It was let in.')))
    socket.once('error', () => undefined)
    socket.once('unexpected-response', (_request, response) => {
      let text = ''
      response.on('data', (chunk) => (text += String(chunk)))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
  })
}

const mineBlock = (): Promise<Response> =>
  fetch(anvil.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: 1, jsonrpc: '2.0', method: 'evm_mine', params: [] }),
  })

test.each(['/v1', '/v1/', '/ws'])('RPC socket at %s sends new blocks until the client unsubscribes', async (path) => {
  const { socket, messages, request, responseTo } = await connect(path)
  request({ id: 1, jsonrpc: '2.0', method: 'eth_subscribe', params: ['newHeads'] })
  const { result } = await responseTo(1)
  await mineBlock()
  await expect.poll(() => messages.some((each) => each.params?.result?.number !== undefined)).toBe(true)
  request({ id: 2, jsonrpc: '2.0', method: 'eth_unsubscribe', params: [result] })
  expect(await responseTo(2)).toMatchObject({ result: true })
  const messageCount = messages.length
  await mineBlock()
  request({ id: 3, jsonrpc: '2.0', method: 'eth_blockNumber', params: [] })
  await responseTo(3)
  expect(messages.length).toBe(messageCount + 1)
  socket.close()
})

test('an address has 50 connections at most, even if it opens all of them at the same time', async () => {
  const attempts = await Promise.allSettled(Array.from({ length: 60 }, () => connect()))
  const opened = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value.socket] : []))
  expect(opened).toHaveLength(50)
  for (const socket of opened) socket.terminate()
  // The server notices a moment later that they have ended.
  const again = await vi.waitFor(() => connect())
  again.socket.terminate()
})

test('RPC socket allows the same methods as HTTP and survives invalid messages [P-07]', async () => {
  const { socket, messages, request, responseTo } = await connect()
  request({ id: 1, jsonrpc: '2.0', method: 'anvil_setBalance', params: [] })
  expect(await responseTo(1)).toMatchObject({ error: { code: -32601 } })
  request({ id: 2, jsonrpc: '2.0', method: 'eth_subscribe', params: ['everything'] })
  expect(await responseTo(2)).toMatchObject({ error: { code: -32602 } })
  for (const nonsense of ['{', '[]', '3', '{"id":{}}']) request(nonsense)
  request({ id: 3, jsonrpc: '2.0', method: 'eth_chainId', params: [] })
  expect(await responseTo(3)).toMatchObject({ result: '0x7a69' })
  await expect.poll(() => messages.filter(({ id, error }) => id === null && error !== undefined).length).toBe(4)
  socket.close()
})

test('RPC socket forwards a batch to the node as one batch', async () => {
  const node = await startRpcNode((body) =>
    [body].flat().map((each) => ({ id: getField(each, 'id'), jsonrpc: '2.0', result: '0x5' })),
  )
  onTestFinished(node.close)
  const own = await startTestServer({
    services: ['api'],
    chains: [
      {
        nativeCurrency,
        rpcUrls: [node.url],
        tokens: [],
        caipNetworkId: 'solana:batches',
        name: 'Batches',
        wsUrls: [anvil.rpcUrl.replace('http', 'ws')],
      },
    ],
  })
  onTestFinished(own.close)
  const query = new URLSearchParams({ projectId, chainId: 'solana:batches' })
  const socket = new WebSocket(`${own.url.replace('http', 'ws')}/v1?${query}`)
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const received = new Promise<string>((resolve) => socket.once('message', (data) => resolve(String(data))))
  const request = (id: number) => ({ id, jsonrpc: '2.0', method: 'getBalance', params: [`account-${id}`] })
  socket.send(
    JSON.stringify([request(7), request(8), { id: 9, jsonrpc: '2.0', method: 'eth_subscribe', params: ['all'] }]),
  )
  expect(JSON.parse(await received)).toMatchObject([
    { id: 7, result: '0x5' },
    { id: 8, result: '0x5' },
    { id: 9, error: { code: -32602 } },
  ])
  expect(node.requests.map((each) => [each].flat().length)).toEqual([2])
  socket.close()
})

test.each<[string, Record<string, string>, number, string]>([
  ['no project', { projectId: '' }, 400, 'projectId'],
  ['an unknown project', { projectId: 'me' }, 401, 'authentication'],
  ['a chain of nowhere', { chainId: 'eip155:99' }, 400, 'chainId'],
  ['a chain without websockets', { chainId: 'eip155:3' }, 400, 'chainId'],
  ['a chain that is unreachable', { chainId: 'eip155:2' }, 410, 'chainId'],
])('RPC socket rejects %s', async (_what, query, status, field) => {
  const refused = await getRefusal(query)
  expect(refused.status).toBe(status)
  expect(JSON.parse(refused.text)).toMatchObject({ status: 'FAILED', reasons: [{ field }] })
})

test('RPC socket path requires an upgrade, and supported-chains lists the chains with sockets [R7.1.2]', async () => {
  for (const path of ['/v1', '/v1/', '/ws']) {
    const reply = await fetch(`${server.url}${path}`)
    expect([path, reply.status, reply.headers.get('upgrade')]).toEqual([path, 426, 'websocket'])
  }
  expect(await (await fetch(`${server.url}/v1/supported-chains`)).json()).toMatchObject({
    http: ['eip155:31337', 'eip155:2', 'eip155:3'],
    ws: ['eip155:31337', 'eip155:2'],
  })
})
