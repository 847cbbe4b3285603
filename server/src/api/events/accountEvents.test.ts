import { setTimeout as sleep } from 'node:timers/promises'
import { startAnvil } from '@latchkey/devnet'
import Fastify from 'fastify'
import { createTestClient, http, publicActions, walletActions, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openAccessCommands } from '../../cli/openAccessCommands.ts'
import { startTestServer } from '../../testing/index.ts'
import { startTestRedis, type TestRedis } from '../../testing/brokers/redis.ts'

type Server = Awaited<ReturnType<typeof startTestServer>>
type Anvil = Awaited<ReturnType<typeof startAnvil>>

const projectId = 'ab'.repeat(16)
const payer = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

let anvil: Anvil
let redis: TestRedis
/** Two processes on one database, of which one indexes the chain. */
let servers: readonly [Server, Server]

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 31_337, port: 0 })
  redis = await startTestRedis()
  const options = { services: ['api'] as const, redisUrl: redis.url, chains: [chainAt(anvil.rpcUrl)] }
  const first = await startTestServer({ ...options, services: ['api'] })
  servers = [first, await startTestServer({ ...options, services: ['api'], databaseUrl: first.databaseUrl })]
})
afterAll(async () => {
  await servers[1].close()
  await servers[0].close()
  await redis.close()
  await anvil.close()
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

const createUnusedAddress = (): Hex => privateKeyToAddress(generatePrivateKey())

async function pay(receiver: Hex): Promise<void> {
  const client = createTestClient({ mode: 'anvil', account: payer, transport: http(anvil.rpcUrl) })
    .extend(publicActions)
    .extend(walletActions)
  await client.sendTransaction({ account: payer, chain: null, to: receiver, value: 5n, gas: 30_000n })
}

type Options = { server?: Server; query?: Record<string, string>; headers?: Record<string, string> }

function request(address: string, { server = servers[0], query = {}, headers }: Options = {}) {
  const all = new URLSearchParams({ projectId, chainId: 'eip155:31337', ...query })
  return fetch(`${server.url}/v1/account/${address}/events?${all}`, { headers })
}

/** Opens a stream and collects its text. */
async function open(address: string, options: Options = {}) {
  const response = await request(address, options)
  expect(response.status).toBe(200)
  const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader()
  let text = ''
  const ended = (async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += Buffer.from(value).toString('utf8')
    }
  })().catch(() => undefined)
  onTestFinished(() => reader.cancel().catch(() => undefined))
  const events = (): readonly string[] => [...text.matchAll(/^event: (\w+)$/gm)].map(([, type = '']) => type)
  const lastId = (): number => Number([...text.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1])
  return { response, text: () => text, events, lastId, ended, close: () => reader.cancel() }
}

test('a payment reaches the streams of its receiver in every process, and no other stream', async () => {
  const [receiver, bystander] = [createUnusedAddress(), createUnusedAddress()]
  const streams = await Promise.all(servers.map((server) => open(receiver, { server })))
  const other = await open(bystander)
  expect(streams[0]?.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  await pay(receiver)
  for (const stream of streams) await expect.poll(stream.events).toContain('change')
  // The balance that was cached before is read again.
  for (const { url } of servers) {
    const query = new URLSearchParams({ projectId, currency: 'usd', chainId: 'eip155:31337' })
    const body = await (await fetch(`${url}/v1/account/${receiver}/balance?${query}`)).json()
    expect(body).toMatchObject({ balances: [{ quantity: { numeric: '0.000000000000000005' } }] })
  }
  expect(other.events()).not.toContain('change')
})

test('a stream begins with the head of the index and reports new blocks', async () => {
  const stream = await open(createUnusedAddress(), { server: servers[1] })
  await expect.poll(stream.lastId).toBeGreaterThanOrEqual(0)
  const before = stream.lastId()
  await sleep(1_100)
  await pay(createUnusedAddress())
  await expect.poll(stream.lastId).toBeGreaterThan(before)
})

test.each<[string, (id: string) => Options]>([
  ['the header', (id) => ({ headers: { 'last-event-id': id } })],
  ['the query', (id) => ({ query: { lastEventId: id } })],
])('a client that reconnects with its last event in %s learns of a missed change', async (_where, withId) => {
  const receiver = createUnusedAddress()
  const first = await open(receiver)
  await expect.poll(first.lastId).toBeGreaterThanOrEqual(0)
  const id = String(first.lastId())
  await first.close()
  const again = await open(receiver, withId(id))
  await expect.poll(again.events).toContain('head')
  expect(again.events()).not.toContain('change')
  await again.close()
  await pay(receiver)
  const witness = await open(receiver)
  await expect.poll(witness.lastId).toBeGreaterThan(Number(id))
  const back = await open(receiver, { ...withId(id), server: servers[1] })
  await expect.poll(back.events).toContain('head')
  expect(back.events()[0]).toBe('change')
  const ahead = await open(receiver, withId('999999999'))
  await expect.poll(ahead.events).toContain('reset')
})

test('a stream ends after the requested number of events', async () => {
  const stream = await open(createUnusedAddress(), { query: { limit: '1' } })
  await stream.ended
  expect(stream.text()).toMatch(
    /^retry: 3000\n\nid: \d+\nevent: head\ndata: \{"chain":"eip155:31337","block":\d+\}\n\n$/,
  )
})

test('the streams of a banned project end in every process, and no others', async () => {
  const other = 'cd'.repeat(16)
  const own = await Promise.all(servers.map((server) => open(payer, { server })))
  const foreign = await Promise.all(servers.map((server) => open(payer, { server, query: { projectId: other } })))
  const commands = await openAccessCommands({ DATABASE_URL: servers[0].databaseUrl }, Fastify({ logger: false }).log)
  onTestFinished(() => commands.close())
  await commands.ban(projectId)
  await Promise.all(own.map(({ ended }) => ended))
  await pay(payer)
  for (const stream of foreign) await expect.poll(stream.events).toContain('change')
  await commands.unban(projectId)
  for (const server of servers)
    await expect.poll(async () => (await request(payer, { server, query: { limit: '1' } })).status).toBe(200)
})

test.each<[string, string, Record<string, string>, number, string]>([
  ['another address', 'alice.eth', {}, 400, 'address'],
  ['a chain without an index', payer, { chainId: 'eip155:5' }, 400, 'chainId'],
  ['an invalid last event', payer, { lastEventId: '-1' }, 400, 'lastEventId'],
  ['an unknown project', payer, { projectId: 'me' }, 401, 'authentication'],
])('events of %s are refused', async (_what, address, query, status, field) => {
  const response = await request(address, { query })
  expect([response.status, await response.json()]).toMatchObject([status, { reasons: [{ field }] }])
})
