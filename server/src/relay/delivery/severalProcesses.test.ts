import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  connectRelayClient,
  createClientKey,
  startTestNats,
  startTestRedis,
  startTestServer,
  type RelayClient,
  type TestNats,
  type TestRedis,
  type TestServerOptions,
} from '../../testing/index.ts'

/** The buses between processes. */
const buses = [
  {
    name: 'over Redis, with messages in PostgreSQL',
    async open(): Promise<{ shared: TestRedis; options: TestServerOptions }> {
      const shared = await startTestRedis()
      return { shared, options: { redisUrl: shared.url } }
    },
    withoutBus: { redisUrl: undefined },
  },
  {
    name: 'over NATS, with messages there',
    async open(): Promise<{ shared: TestNats; options: TestServerOptions }> {
      const shared = await startTestNats()
      return { shared, options: { relayStore: shared.store } }
    },
    // Nothing listens there, so that the process keeps trying.
    withoutBus: { redisUrl: 'redis://127.0.0.1:1' },
  },
]

type Server = Awaited<ReturnType<typeof startTestServer>>

describe.each(buses)('$name', ({ open, withoutBus }) => {
  let shared: TestRedis | TestNats
  let options: TestServerOptions
  let one: Server
  let other: Server
  let lastTopic = 0

  beforeAll(async () => {
    ;({ shared, options } = await open())
    one = await startTestServer(options)
    other = await startTestServer({ ...options, databaseUrl: one.databaseUrl })
  })
  afterAll(async () => {
    await other.close()
    await one.close()
    await shared.close()
  })

  function nextTopic(): string {
    lastTopic += 1
    return lastTopic.toString(16).padStart(64, 'd')
  }

  const publish = (client: RelayClient, topic: string, message: string): Promise<unknown> =>
    client.request('irn_publish', { topic, message, ttl: 300, tag: 1108 })

  test(
    'processes on one database without Redis deliver to each other by polling [R-16]',
    { tags: 'faults' },
    async () => {
      const first = await startTestServer()
      const second = await startTestServer({ databaseUrl: first.databaseUrl })
      const topic = nextTopic()
      const wallet = await connectRelayClient(first.relayUrl)
      const dapp = await connectRelayClient(second.relayUrl)
      await wallet.request('irn_subscribe', { topic })
      // The first process has to notice the second; it polls for what is stored from then on.
      let round = 0
      await vi.waitFor(async () => {
        round += 1
        await publish(dapp, topic, `message ${round}`)
        expect(wallet.pushes.length).toBeGreaterThan(0)
      }, 120_000)
      await Promise.all([wallet.close(), dapp.close()])
      await second.close()
      await first.close()
    },
  )

  test('a publisher on one process reaches a subscriber on another, in order [R-16]', async () => {
    const topic = nextTopic()
    const wallet = await connectRelayClient(other.relayUrl)
    const dapp = await connectRelayClient(one.relayUrl)
    await wallet.request('irn_subscribe', { topic })
    const messages = Array.from({ length: 50 }, (_, index) => `message ${index}`)
    await Promise.all(messages.map((message) => publish(dapp, topic, message)))
    await wallet.until(() => wallet.pushes.length >= 50)
    expect(wallet.messages()).toEqual(messages)
    await Promise.all([wallet.close(), dapp.close()])
  })

  test('a message stored by one process is delivered by another, and not again by the first [R-06]', async () => {
    const topic = nextTopic()
    const key = createClientKey()
    const dapp = await connectRelayClient(one.relayUrl)
    await publish(dapp, topic, 'waits')
    const wallet = await connectRelayClient(other.relayUrl, { key })
    await wallet.request('irn_subscribe', { topic })
    await wallet.until(() => wallet.pushes.length === 1)
    await wallet.close()
    let round = 0
    // Receipts are written down in groups, a moment later.
    await vi.waitFor(async () => {
      round += 1
      const again = await connectRelayClient(one.relayUrl, { key })
      await again.request('irn_subscribe', { topic })
      await publish(dapp, topic, `next ${round}`)
      await again.until(() => again.messages().includes(`next ${round}`))
      await again.close()
      expect(again.messages()).toEqual([`next ${round}`])
    })
    await dapp.close()
  })

  test('processes that publish on one topic concurrently lose no message and keep the order of each publisher [R-16]', async () => {
    const topic = nextTopic()
    const wallet = await connectRelayClient(other.relayUrl)
    await wallet.request('irn_subscribe', { topic })
    const publishers = await Promise.all([one, other, one, other].map(({ relayUrl }) => connectRelayClient(relayUrl)))
    await Promise.all(
      publishers.flatMap((client, who) =>
        Array.from({ length: 50 }, (_, index) => publish(client, topic, `${who} ${index}`)),
      ),
    )
    await wallet.until(() => new Set(wallet.messages()).size === 200)
    for (const who of [0, 1, 2, 3]) {
      const own = [...new Set(wallet.messages())].filter((message) => message.startsWith(`${who} `))
      expect(own).toEqual(Array.from({ length: 50 }, (_, index) => `${who} ${index}`))
    }
    await Promise.all([wallet, ...publishers].map((client) => client.close()))
  })

  test(
    'a message that was stored but never announced is delivered within seconds [R-16]',
    { tags: 'faults' },
    async () => {
      const topic = nextTopic()
      const wallet = await connectRelayClient(other.relayUrl)
      await wallet.request('irn_subscribe', { topic })
      const dapp = await connectRelayClient(one.relayUrl)
      // Without its bus a process stores messages without announcing them.
      const alone = await startTestServer({ ...options, ...withoutBus, databaseUrl: one.databaseUrl })
      const mute = await connectRelayClient(alone.relayUrl)
      await publish(mute, topic, 'not announced')
      await wallet.until(() => wallet.pushes.length === 1)
      expect(wallet.messages()).toEqual(['not announced'])
      await Promise.all([wallet.close(), dapp.close(), mute.close()])
      await alone.close()
    },
  )
})
