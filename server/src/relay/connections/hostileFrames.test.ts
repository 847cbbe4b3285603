import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectRelayClient, startTestServer } from '../../testing/index.ts'
import { batchFetchMessages, fetchMessages } from '../methods/fetch.ts'
import type { MessagePage, RelayMessage } from '../mailbox/mailbox.ts'

type Server = Awaited<ReturnType<typeof startTestServer>>

const topic = 'c'.repeat(64)

let server: Server

beforeAll(async () => {
  server = await startTestServer({ relayLimits: { rate: { perSecond: 15, burst: 60 } } })
})
afterAll(() => server.close())

const newMessage = (change: object): object => ({ topic, message: 'm', ttl: 300, tag: 1108, ...change })

describe('responses without a delivery [R-09]', () => {
  test.each([
    ['small', '{"id":1,"jsonrpc":"2.0","result":true}'],
    ['large', `{"id":1,"jsonrpc":"2.0","result":"${'x'.repeat(5_000)}"}`],
  ])('a client that floods the relay with %s ones is disconnected', async (_, frame) => {
    const client = await connectRelayClient(server.relayUrl)
    for (let sent = 0; sent < 200; sent += 1) client.socket.send(frame)
    expect(await client.closed).toEqual({ code: 1013, reason: 'Too Many Requests' })
  })

  test('a client that repeats the acknowledgement of one delivery is disconnected', async () => {
    const [client, publisher] = [await connectRelayClient(server.relayUrl), await connectRelayClient(server.relayUrl)]
    await client.request('irn_subscribe', { topic })
    await publisher.request('irn_publish', newMessage({ message: 'once' }))
    await client.until(() => client.pushes.length === 1)
    for (let sent = 0; sent < 200; sent += 1) client.socket.send('{"id":1,"jsonrpc":"2.0","result":true}')
    expect(await client.closed).toMatchObject({ code: 1013 })
    await publisher.close()
  })

  test('a client that acknowledges each of many deliveries stays connected', async () => {
    const ownTopic = 'd'.repeat(64)
    const [client, publisher] = [await connectRelayClient(server.relayUrl), await connectRelayClient(server.relayUrl)]
    await client.request('irn_subscribe', { topic: ownTopic })
    const messages = Array.from({ length: 50 }, (_, index) => newMessage({ topic: ownTopic, message: `${index}` }))
    await publisher.request('irn_batchPublish', { messages })
    await publisher.request('irn_batchPublish', { messages: messages.slice(0, 1) })
    await client.until(() => client.pushes.length === 50)
    expect(await client.request('irn_unsubscribe', { topic: ownTopic })).toMatchObject({ result: true })
    await Promise.all([client.close(), publisher.close()])
  })
})

describe('a client without a proper end', () => {
  test('sends nothing to the relay that counts after it was disconnected for its rate', async () => {
    const other = await connectRelayClient(server.relayUrl)
    const late = 'e'.repeat(64)
    await other.request('irn_subscribe', { topic: late })
    const client = await connectRelayClient(server.relayUrl)
    const invalid = '{"id":1,"jsonrpc":"2.0","method":"irn_nothing","params":{}}'
    // A hostile client does not respond to the closing frame: a paused socket does not see it.
    client.socket.pause()
    for (let sent = 0; sent < 100; sent += 1) client.socket.send(invalid)
    await sleep(500)
    const frame = { id: 1_700_000_000_000_000, jsonrpc: '2.0', method: 'irn_publish' }
    client.socket.send(JSON.stringify({ ...frame, params: newMessage({ topic: late, message: 'late' }) }))
    await sleep(300)
    expect(other.messages()).toEqual([])
    client.socket.terminate()
    await other.close()
  })
})

describe('the memory of an address', () => {
  test('clients with many ids subscribe to no more topics than their address may, and free them when they end', async () => {
    const small = await startTestServer({ relayLimits: { memoryPerAddress: 1024 * 1024 } })
    const batch = (from: number): object => ({
      topics: Array.from({ length: 200 }, (_, index) => (from + index).toString(16).padStart(64, '0')),
    })
    const clients = await Promise.all([1, 2, 3].map(() => connectRelayClient(small.relayUrl)))
    const responses = []
    for (const client of clients)
      responses.push(await client.request('irn_batchSubscribe', batch(responses.length * 200)))
    expect(responses.map(({ error }) => error)).toMatchObject([
      undefined,
      undefined,
      { message: 'Internal error: too many subscriptions of this address', data: 'SubscriberLimitExceeded' },
    ])
    await Promise.all(clients.map((client) => client.close()))
    const next = await connectRelayClient(small.relayUrl)
    await expect.poll(async () => (await next.request('irn_batchSubscribe', batch(0))).error).toBe(undefined)
    await next.close()
    await small.close()
  })
})

describe('attestations', () => {
  test.each([
    ['4,097 letters', 'a'.repeat(4_097)],
    ['1,366 letters of three bytes', '€'.repeat(1_366)],
  ])('%s are refused', async (_, attestation) => {
    const client = await connectRelayClient(server.relayUrl)
    expect(await client.request('irn_publish', newMessage({ attestation }))).toMatchObject({
      error: { message: expect.stringContaining('at most 4096 bytes') },
    })
    await client.close()
  })

  test('attestations count for the stored bytes of their address', async () => {
    const bytes = 100_000
    const small = await startTestServer({
      relayLimits: { storage: { bytesPerAddress: bytes, bytesPerNetwork: bytes, bytesPerProject: bytes, bytes } },
    })
    const client = await connectRelayClient(small.relayUrl)
    const messages = Array.from({ length: 50 }, (_, index) =>
      newMessage({ message: `${index}`, attestation: 'a'.repeat(4_096) }),
    )
    expect(await client.request('irn_batchPublish', { messages })).toMatchObject({
      error: { data: 'StorageLimitExceeded' },
    })
    await client.close()
    await small.close()
  })
})

describe('fetched pages', () => {
  const page = (): MessagePage => ({
    messages: [{ topic, sequence: 7, message: 'long' } as RelayMessage],
    hasMore: false,
  })

  test.each([
    ['irn_fetchMessages', fetchMessages, { topic }],
    ['irn_batchFetchMessages', batchFetchMessages, { topics: [topic] }],
  ])('the relay keeps only the places of the messages of %s until they are acknowledged', async (_, method, params) => {
    const session = {
      attest: () => '',
      checkItems: () => undefined,
      fetchUndelivered: async () => page(),
    } as unknown as Parameters<typeof method>[0]
    expect(await method(session, params, '1')).toMatchObject({ receipts: [{ topic, sequence: 7 }] })
    const { receipts } = await method(session, params, '1')
    expect(Object.keys(receipts?.[0] ?? {})).toEqual(['topic', 'sequence', 'publishedAt'])
  })
})
