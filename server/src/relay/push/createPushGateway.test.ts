import { createECDH } from 'node:crypto'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createInProcessBus, type Bus } from '../../kit/bus/bus.ts'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { createSafeFetch } from '../../kit/http/safeFetch.ts'
import { createInProcessRateLimiters } from '../../kit/limits/rateLimiters.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { startWebPushReceiver, type BrowserSubscription, type WebPushReceiver } from './testing/webPushReceiver.ts'
import type { Mailbox, NewRelayMessage } from '../mailbox/mailbox.ts'
import { createPostgresMailbox } from '../mailbox/postgresMailbox.ts'
import { relayLimits } from '../relayVariables.ts'
import { createPushGateway, type PushGateway, type PushGatewayDependencies } from './createPushGateway.ts'
import { createPushMetrics } from './pushMetrics.ts'
import type { PushSubscription } from './pushStore.ts'
import { createWebPush } from './services/createWebPush.ts'
import { loadVapidKey } from './services/vapidKey.ts'

let now = 1_800_000_000_000
const clock = { now: () => now }
const { log } = Fastify({ logger: false })
const limits = { perSource: 3, total: 1_000, topicsPerClient: 5 }
let place: TestPostgres
let database: Database
let mailbox: Mailbox
let bus: Bus
let receiver: WebPushReceiver
let registry: Registry
let gateway: PushGateway
let opened: PushGateway[] = []
let active: PushSubscription[] = []
type OpenOptions = Partial<PushGatewayDependencies> & { registry?: Registry }
let topic = ''
let lastTopic = 0
const dapp = 'did:key:dapp'
const wallet = 'did:key:wallet'

async function open({ registry = new Registry(), ...change }: OpenOptions = {}): Promise<PushGateway> {
  const key = await loadVapidKey(database.kysely, 'mailto:push@example.org', clock)
  const http = createSafeFetch({ allowPrivate: true })
  const created = createPushGateway({
    database: database.kysely,
    services: [createWebPush({ key, hosts: 'any', http, clock })],
    mailbox,
    bus,
    rateLimiters: createInProcessRateLimiters(clock),
    clock,
    metrics: createPushMetrics(registry),
    limits,
    hash: (text) => Buffer.from(text),
    listActiveTopics: (client) => active.filter((each) => each.client === client),
    log,
    ...change,
  })
  opened.push(created)
  return created
}

beforeAll(async () => {
  place = await createTestDatabase('relay')
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, log)
  mailbox = createPostgresMailbox({ database, clock, limits: relayLimits('local').mailbox })
})
afterAll(async () => {
  await mailbox.idle()
  await database.close()
  await place.close()
})
beforeEach(async () => {
  await sql`truncate relay_push_client cascade`.execute(database.kysely)
  now += 86_400_000
  lastTopic += 1
  topic = lastTopic.toString(16).padStart(64, '0')
  active = []
  bus = createInProcessBus()
  registry = new Registry()
  receiver = await startWebPushReceiver()
  gateway = await open({ registry })
  return async () => {
    await Promise.all(opened.map((each) => each.close()))
    opened = []
    await receiver.close()
    await bus.close()
  }
})

type RegistrationChange = { client?: string; address?: string; token?: string }

async function register(change: RegistrationChange = {}): Promise<BrowserSubscription> {
  const browser = receiver.subscribe()
  await gateway.register({ client: wallet, service: 'web', token: browser.token, isRaw: true, address: 'a', ...change })
  await gateway.recorded()
  return browser
}

async function subscribe(client = wallet, to = topic): Promise<void> {
  gateway.observer.subscribed?.(to, client)
  await gateway.recorded()
}

async function publish(
  text: string,
  { isPrompt = true, ...change }: Partial<NewRelayMessage> & { isPrompt?: boolean } = {},
) {
  const message = { topic, message: text, ttl: 300, tag: 1108, attestation: '', origin: '', publisher: dapp, ...change }
  const stored = await mailbox.store(message)
  if (stored.outcome !== 'stored') throw new Error(`expected to be stored, was ${stored.outcome}`)
  gateway.observer.messageStored?.(stored.message, isPrompt)
  await gateway.recorded()
  return stored.message
}

/** Sends what is due a second later. @returns its number */
async function sendDue(afterMs = 1_000): Promise<number> {
  now += afterMs
  return gateway.sendDue()
}

async function countRows(table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from ${sql.table(table)}`.execute(database.kysely)
  return rows[0]?.count ?? -1
}

async function countNotifications(): Promise<Record<string, number>> {
  const metric = await registry.getSingleMetric('latchkey_push_notifications_total')?.get()
  return Object.fromEntries((metric?.values ?? []).map(({ labels, value }) => [labels['result'], value]))
}

describe('a message with a push notification', () => {
  test('wakes a registered client of its topic, with the sealed message', async () => {
    const browser = await register()
    await subscribe()
    await publish('sealed')
    expect(await sendDue()).toBe(1)
    const [request] = await receiver.received(1)
    expect(request?.path).toBe(browser.path)
    expect(request?.headers['ttl']).toBe('299')
    expect(browser.decrypt(request as NonNullable<typeof request>)).toEqual({ topic, tag: 1108, message: 'sealed' })
    expect(await sendDue(60_000)).toBe(0)
    expect(await countNotifications()).toEqual({ sent: 1 })
  })

  test('wakes no client that has acknowledged it within a second', async () => {
    await register()
    await subscribe()
    const { sequence } = await publish('sealed')
    expect(await sendDue(999)).toBe(0)
    await mailbox.acknowledge({ topic, sequence }, wallet)
    expect(await sendDue(1)).toBe(1)
    expect(receiver.requests).toHaveLength(0)
    expect(await countNotifications()).toEqual({ acknowledged: 1 })
  })

  test.each<[what: string, prepare: () => Promise<unknown>]>([
    ['its publisher', () => publish('sealed', { publisher: wallet })],
    ['a client of another topic', () => publish('sealed', { topic: 'f'.repeat(64) })],
    ['a client if the publisher requests none', () => publish('sealed', { isPrompt: false })],
    [
      'a client that has unsubscribed',
      async () => {
        gateway.observer.unsubscribed?.(topic, wallet)
        await publish('sealed')
      },
    ],
    [
      'a client that has removed its registration',
      async () => {
        await gateway.unregister(wallet)
        await publish('sealed')
      },
    ],
    [
      'a client whose registration has expired',
      async () => {
        now += 60 * 86_400_000
        await publish('sealed')
      },
    ],
  ])('does not wake %s', async (_what, prepare) => {
    await register()
    await subscribe()
    await prepare()
    expect(await sendDue()).toBe(0)
    expect(receiver.requests).toHaveLength(0)
  })

  test('has no message if that is too large, so that the client fetches it', async () => {
    const browser = await register()
    await subscribe()
    await publish('x'.repeat(3_101))
    await sendDue()
    const [request] = await receiver.received(1)
    expect(browser.decrypt(request as NonNullable<typeof request>)).toEqual({ topic, tag: 1108 })
  })

  test('wakes a client that registered while it was connected to any process', async () => {
    active = [{ client: wallet, topic }]
    const other = await open({ listActiveTopics: () => [] })
    await other.register({
      client: wallet,
      service: 'web',
      token: receiver.subscribe().token,
      isRaw: true,
      address: 'a',
    })
    await gateway.recorded()
    await publish('sealed')
    expect(await sendDue()).toBe(1)
  })

  test('is sent once by several processes', async () => {
    const others = await Promise.all([open(), open()])
    await register()
    await subscribe()
    for (let message = 0; message < 20; message += 1) await publish(`sealed ${message}`)
    now += 1_000
    const drain = async (each: PushGateway): Promise<void> => {
      while ((await each.sendDue()) > 0);
    }
    await Promise.all([gateway, ...others].map(drain))
    expect(receiver.requests).toHaveLength(20)
  })
})

describe('a push service that fails', () => {
  beforeEach(async () => {
    await register()
    await subscribe()
    await publish('sealed')
  })

  test('gets the notification again after 2, 4, 8 and 16 seconds, then never', async () => {
    receiver.respondWith(...Array.from({ length: 10 }, () => ({ status: 503 })))
    const start = now
    const attempts: number[] = []
    for (let second = 0; second < 200; second += 1) {
      if ((await sendDue()) > 0) attempts.push((now - start) / 1000)
    }
    expect(attempts).toEqual([1, 3, 7, 15, 31])
    expect(receiver.requests).toHaveLength(5)
    expect(await countNotifications()).toEqual({ retried: 4, failed: 1 })
    expect(await countRows('relay_push_notification')).toBe(0)
  })

  test('gets it again no earlier than it asks for', async () => {
    receiver.respondWith({ status: 429, headers: { 'retry-after': '60' } })
    await sendDue()
    expect(await sendDue(59_000)).toBe(0)
    expect(await sendDue(1_000)).toBe(1)
    expect(await countNotifications()).toEqual({ retried: 1, sent: 1 })
  })

  test('gets nothing after the message has expired', async () => {
    receiver.respondWith({ status: 429, headers: { 'retry-after': '3600' } })
    await sendDue()
    expect(await sendDue(3_600_000)).toBe(0)
    expect(await countNotifications()).toEqual({ failed: 1 })
  })

  test.each([404, 410])(
    'and reports with %i that a token is gone removes its registration with all rows',
    async (status) => {
      receiver.respondWith({ status })
      await publish('another')
      await sendDue()
      expect(await countRows('relay_push_client')).toBe(0)
      expect(await countRows('relay_push_topic')).toBe(0)
      expect(await countRows('relay_push_notification')).toBe(0)
    },
  )

  test('and reports an old token as gone does not remove a new one', async () => {
    let respond = (): void => {}
    receiver.respondWith({ status: 410, after: new Promise<void>((resolve) => (respond = resolve)) })
    const sending = sendDue()
    await receiver.received(1)
    await register()
    respond()
    await sending
    expect(await countRows('relay_push_client')).toBe(1)
  })

  test('and refuses gets nothing again, and the registration stays', async () => {
    receiver.respondWith({ status: 403 })
    await sendDue()
    expect(await sendDue(60_000)).toBe(0)
    expect(await countNotifications()).toEqual({ refused: 1 })
    expect(await countRows('relay_push_client')).toBe(1)
  })

  test('of one client does not delay the notifications of another', async () => {
    for (let message = 0; message < 50; message += 1) await publish(`sealed ${message}`)
    const other = await register({ client: 'did:key:other' })
    await subscribe('did:key:other')
    await publish('for both')
    expect(await sendDue()).toBe(5)
    expect(receiver.requests.some(({ path }) => path === other.path)).toBe(true)
  })
})

describe('limits', () => {
  test('a client gets 30 notifications at once, and one more every five seconds', async () => {
    await register()
    await subscribe()
    for (let message = 0; message < 40; message += 1) await publish(`sealed ${message}`)
    now += 1_000
    while ((await gateway.sendDue()) > 0);
    expect(await countNotifications()).toEqual({ sent: 30, limited: 10 })
    now += 5_000
    await publish('later')
    await sendDue()
    expect(await countNotifications()).toEqual({ sent: 31, limited: 10 })
  })

  test('a client has 100 waiting notifications at most', async () => {
    await register()
    await subscribe()
    for (let message = 0; message < 102; message += 1) await publish(`sealed ${message}`)
    expect(await countRows('relay_push_notification')).toBe(100)
  })

  test('an address has a limited number of registrations, which only the same client can replace from elsewhere', async () => {
    for (const client of ['1', '2', '3']) await register({ client })
    await expect(register({ client: '4' })).rejects.toMatchObject({ status: 429 })
    await register({ client: '3' })
    await register({ client: '4', address: 'another' })
    await gateway.unregister('3')
    await register({ client: '5' })
    expect(await countRows('relay_push_client')).toBe(4)
  })

  test('a client has a limited number of topics', async () => {
    await register()
    for (let index = 0; index < 8; index += 1) await subscribe(wallet, index.toString(16).padStart(64, 'f'))
    expect(await countRows('relay_push_topic')).toBe(5)
  })

  test('nothing is stored for clients without a registration', async () => {
    await subscribe('did:key:stranger')
    await publish('sealed')
    expect(await countRows('relay_push_topic')).toBe(0)
    expect(await countRows('relay_push_notification')).toBe(0)
  })

  test('a push service that is not configured is refused', async () => {
    const request = { client: wallet, service: 'fcm', token: 'x'.repeat(100), isRaw: true, address: 'a' }
    await expect(gateway.register(request)).rejects.toMatchObject({ status: 400, field: 'type' })
  })

  test('a key that is not a point is refused before it is stored', async () => {
    const key = createECDH('prime256v1')
    key.generateKeys()
    const token = JSON.stringify({ endpoint: receiver.url, keys: { p256dh: 'AAAA', auth: 'AAAA' } })
    await expect(register({ token })).rejects.toMatchObject({ status: 400, field: 'token' })
  })
})

test('the queries of the gateway read by index', async () => {
  const plan = async (query: ReturnType<typeof sql>): Promise<string> => {
    const { rows } = await database.kysely.transaction().execute(async (transaction) => {
      // PostgreSQL reads empty tables as a whole; large ones need an index.
      await sql`set local enable_seqscan = off`.execute(transaction)
      return sql<{ 'QUERY PLAN': string }>`explain ${query}`.execute(transaction)
    })
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  expect(await plan(sql`select from relay_push_topic where topic = ${Buffer.of(1)}`)).toContain('relay_push_topic_pkey')
  expect(await plan(sql`select from relay_push_client where client = 'a'`)).toContain('relay_push_client_client_key')
  expect(await plan(sql`select from relay_push_client where source = ${Buffer.of(1)}`)).toContain('_by_source')
  expect(await plan(sql`select count(*) from relay_push_notification where client_id = 1`)).toContain('client_id_topic')
  expect(await plan(sql`select id from relay_push_notification where next_at <= 1 order by next_at limit 9`)).toContain(
    '_by_time',
  )
})
