import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createInProcessBus, type Bus } from '../../kit/bus/bus.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { createSafeFetch } from '../../kit/http/safeFetch.ts'
import { createClientKey, createTestDatabase, signToken, type ClientKey } from '../../testing/index.ts'
import { parseSignedToken } from '../connections/clientToken.ts'
import { relayLimits } from '../relayVariables.ts'
import { loadRelayIdentity } from '../relayIdentity.ts'
import type { Mailbox, NewRelayMessage } from '../mailbox/mailbox.ts'
import { relayMigrations } from '../../schema/relayMigrations.ts'
import { createPostgresMailbox } from '../mailbox/postgresMailbox.ts'
import { createEventQueue } from './eventQueue.ts'
import { createWatches, type Watches } from './watches.ts'

/** The events that the webhook received, and its responses. */
type WatchEvent = { path: string; claims: Readonly<Record<string, unknown>>; event: Readonly<Record<string, unknown>> }

const { log } = Fastify({ logger: false })
const relayUrl = 'wss://relay.example.org'
const opened: Watches[] = []

let close: () => Promise<void>
let database: Database
let bus: Bus
let mailbox: Mailbox
let service: Server
let address: string
let messages: WatchEvent[]
let responses: number[]
let now = 1_800_000_000_000
const clock: Clock = { now: () => now }

let watches: Watches
let wallet: ClientKey
let dapp: ClientKey
let topic: string
let lastTopic = 0

async function open(): Promise<Watches> {
  const made = await createWatches({
    database: database.kysely,
    bus,
    clock,
    identity: await loadRelayIdentity(database.kysely),
    http: createSafeFetch({ allowPrivate: true }),
    audiences: () => [relayUrl],
    log,
  })
  opened.push(made)
  return made
}

beforeAll(async () => {
  const place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, log)
  await migrate(database.kysely, relayMigrations, 'relay')
  bus = createInProcessBus()
  mailbox = createPostgresMailbox({ database, clock, limits: relayLimits('local').mailbox })
  service = createServer((request, response) => {
    void readBody(request).then(async (text) => {
      messages.push(await readWatchEvent(request.url ?? '', text))
      response.writeHead(responses.shift() ?? 204, { location: '/redirected' }).end('x'.repeat(100_000))
    })
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this form.
  address = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  close = async () => {
    await Promise.all(opened.map((each) => each.close()))
    service.closeAllConnections()
    await new Promise((resolve) => service.close(resolve))
    await mailbox.idle()
    await database.close()
    await place.close()
  }
  watches = await open()
})
afterAll(() => close())
beforeEach(async () => {
  await sql`truncate relay_watch_event, relay_watch_topic, relay_watch`.execute(database.kysely)
  now += 86_400_000
  lastTopic += 1
  topic = lastTopic.toString(16).padStart(64, '0')
  wallet = createClientKey()
  dapp = createClientKey()
  messages = []
  responses = []
})

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

async function readWatchEvent(path: string, text: string): Promise<WatchEvent> {
  // The log of the relay in these tests.
  const { eventAuth } = JSON.parse(text) as { eventAuth: [string] }
  const signed = await parseSignedToken(eventAuth[0])
  if (typeof signed === 'string' || eventAuth.length !== 1)
    throw new Error('The webhook received nothing that is signed.')
  return { path, claims: signed.claims, event: signed.claims['evt'] as WatchEvent['event'] }
}

function createToken(key: ClientKey, change: object = {}): string {
  const iat = Math.floor(now / 1000)
  const standard = {
    act: 'irn_watchRegister',
    aud: relayUrl,
    sub: 'https://service.example',
    whu: `${address}/hook`,
    iat,
    exp: iat + 86_400,
    typ: 'subscriber',
    tag: [1108, 1109],
    sts: ['accepted', 'queued', 'delivered'],
  }
  return signToken(key, { claims: { ...standard, ...change } })
}

async function publish(message: string, change: Partial<NewRelayMessage> = {}): Promise<number> {
  const published = {
    topic,
    message,
    ttl: 300,
    tag: 1108,
    attestation: 'who',
    origin: '',
    publisher: dapp.clientId,
    ...change,
  }
  const stored = await mailbox.store(published)
  if (stored.outcome !== 'stored') throw new Error(`expected to be stored, was ${stored.outcome}`)
  watches.observer.messageStored?.(stored.message)
  await watches.recorded()
  return stored.message.sequence
}

async function acknowledge(sequence: number): Promise<void> {
  await mailbox.acknowledge({ topic, sequence }, wallet.clientId)
  watches.observer.messageDelivered?.(topic, sequence, wallet.clientId)
  await watches.recorded()
}

async function listen(): Promise<void> {
  watches.observer.subscribed?.(topic, wallet.clientId)
  await watches.recorded()
}

const listEvents = (): readonly unknown[] => messages.map(({ event }) => [event['status'], event['message']])

describe('watch events', () => {
  test('a subscriber watch receives signed events when a message is accepted and when it is delivered', async () => {
    await watches.register(createToken(wallet))
    await listen()
    const sequence = await publish('sealed')
    await acknowledge(sequence)
    expect(await watches.notifyDue()).toBe(2)
    const evt = {
      messageId: sequence,
      status: 'accepted',
      topic,
      message: 'sealed',
      attestation: 'who',
      publishedAt: now,
      tag: 1108,
    }
    const claims = {
      iss: watches.identity.id,
      act: 'irn_watchEvent',
      aud: 'https://service.example',
      sub: wallet.clientId,
      typ: 'subscriber',
      whu: `${address}/hook`,
      iat: Math.floor(now / 1000),
    }
    const sorted = messages.toSorted((one, other) =>
      String(one.event['status']).localeCompare(String(other.event['status'])),
    )
    expect(sorted.map(({ path, claims }) => [path, claims])).toEqual([
      ['/hook', { ...claims, evt }],
      ['/hook', { ...claims, evt: { ...evt, status: 'delivered' } }],
    ])
  })

  test('a subscriber watch receives a queued event when a message is not delivered within seconds', async () => {
    await watches.register(createToken(wallet, { sts: ['queued'] }))
    await listen()
    watches.observer.disconnected?.(topic, wallet.clientId)
    const taken = await publish('taken')
    await publish('waits')
    now += 4_000
    await acknowledge(taken)
    await mailbox.idle()
    expect(await watches.notifyDue()).toBe(0)
    now += 1_000
    expect(await watches.notifyDue()).toBe(1)
    expect(listEvents()).toEqual([['queued', 'waits']])
  })

  test('a publisher watch receives an event for each message published by its client', async () => {
    await watches.register(createToken(dapp, { typ: 'publisher' }))
    await publish('sent')
    await publish('from another', { publisher: wallet.clientId })
    expect(await watches.notifyDue()).toBe(1)
    expect(listEvents()).toEqual([['accepted', 'sent']])
  })

  test('a watch receives only events of its tags and of messages by other publishers', async () => {
    await watches.register(createToken(wallet, { sts: ['accepted'] }))
    await listen()
    await publish('other tag', { tag: 1100 })
    await publish('its own', { publisher: wallet.clientId })
    await publish('elsewhere', { topic: 'f'.repeat(64) })
    await publish('right')
    await watches.notifyDue()
    expect(listEvents()).toEqual([['accepted', 'right']])
  })

  test('a watch covers existing subscriptions of the client until it unsubscribes', async () => {
    await listen()
    await watches.register(createToken(wallet, { sts: ['accepted'] }))
    await publish('first')
    watches.observer.unsubscribed?.(topic, wallet.clientId)
    await watches.recorded()
    await publish('second')
    await watches.notifyDue()
    expect(listEvents()).toEqual([['accepted', 'first']])
  })

  test('a watch receives no event after it was removed or expired', async () => {
    await watches.register(createToken(wallet))
    await listen()
    await watches.unregister(createToken(wallet, { act: 'irn_watchUnregister', exp: undefined }))
    await publish('first')
    await watches.register(createToken(wallet, { exp: Math.floor(now / 1000) + 60 }))
    now += 61_000
    await publish('second')
    now += 10_000
    expect(await watches.notifyDue()).toBe(0)
  })

  test('a second watch for the same webhook replaces the first', async () => {
    await watches.register(createToken(wallet, { sts: ['accepted'], tag: [1] }))
    await watches.register(createToken(wallet, { sts: ['accepted'] }))
    await listen()
    await publish('sealed')
    expect(await watches.notifyDue()).toBe(1)
  })
})

describe('a webhook', () => {
  beforeEach(async () => {
    await watches.register(createToken(wallet, { sts: ['accepted'] }))
    await listen()
    await publish('sealed')
  })

  test.each([200, 204, 302, 400, 404, 429])('a webhook response %i completes the delivery', async (status) => {
    responses = [status]
    expect(await watches.notifyDue()).toBe(1)
    now += 3_600_000
    expect(await watches.notifyDue()).toBe(0)
    expect(messages.map(({ path }) => path)).toEqual(['/hook'])
  })

  test('a webhook that responds 5xx is retried with growing delays for a day', async () => {
    responses = Array.from({ length: 100 }, () => 503)
    const start = now
    const tries: number[] = []
    for (; now < start + 48 * 3_600_000; now += 1_000) {
      if (now > start + 300_000) now += 599_000
      if ((await watches.notifyDue()) > 0) tries.push((now - start) / 1_000)
    }
    expect(tries.slice(0, 8)).toEqual([0, 2, 6, 14, 30, 62, 126, 254])
    expect(tries.at(-1)).toBeGreaterThan(22 * 3_600)
    expect(tries.at(-1)).toBeLessThanOrEqual(24 * 3_600)
    expect(messages).toHaveLength(tries.length)
  })

  test('a webhook is not called again after a successful retry', async () => {
    responses = [500, 502, 200]
    for (let second = 0; second < 60; second += 1) {
      await watches.notifyDue()
      now += 1_000
    }
    expect(messages).toHaveLength(3)
  })

  test('a failing webhook does not delay other webhooks', async () => {
    for (let message = 0; message < 100; message += 1) await publish(`message ${message}`)
    await watches.register(createToken(wallet, { sts: ['accepted'], whu: `${address}/other` }))
    await publish('for both')
    responses = Array.from({ length: 11 }, () => 503)
    expect(await watches.notifyDue()).toBe(11)
    expect(await watches.notifyDue()).toBe(0)
    expect(messages.filter(({ path }) => path === '/other')).toHaveLength(1)
    now += 2_000
    expect(await watches.notifyDue()).toBe(11)
  })

  test('several processes deliver each event once', async () => {
    const others = await Promise.all([open(), open(), open()])
    for (let message = 0; message < 60; message += 1) await publish(`message ${message}`)
    const notify = async (each: Watches): Promise<void> => {
      while ((await each.notifyDue()) > 0);
    }
    await Promise.all([watches, ...others].map(notify))
    expect(messages).toHaveLength(61)
    expect(new Set(messages.map(({ event }) => event['messageId'])).size).toBe(61)
  })

  test('an event claimed by a lost process is delivered by another process', async () => {
    expect(await createEventQueue(database.kysely, clock).claim()).toHaveLength(1)
    now += 29_000
    expect(await watches.notifyDue()).toBe(0)
    now += 1_000
    expect(await watches.notifyDue()).toBe(1)
    expect(messages).toHaveLength(1)
  })
})

describe('a JWT', () => {
  const iat = (): number => Math.floor(now / 1000)
  type Case = [what: string, change: () => object, tag: string]
  const cases: Case[] = [
    ['another action', () => ({ act: 'irn_watchUnregister' }), 'InvalidAction'],
    ['no action', () => ({ act: undefined }), 'InvalidAction'],
    ['a service that is not a URL', () => ({ sub: 'service' }), 'InvalidServiceUrl'],
    ['a service that is too long', () => ({ sub: `https://service.example/${'x'.repeat(256)}` }), 'InvalidServiceUrl'],
    ['no webhook', () => ({ whu: undefined }), 'InvalidWebhookUrl'],
    ['a webhook that is not a URL', () => ({ whu: 'hook' }), 'InvalidWebhookUrl'],
    ['a webhook with credentials', () => ({ whu: 'https://a:b@service.example' }), 'InvalidWebhookUrl'],
    ['a webhook of 257 characters', () => ({ whu: `https://service.example/${'x'.repeat(233)}` }), 'InvalidWebhookUrl'],
    ['a webhook that is not HTTP', () => ({ whu: 'file:///etc/passwd' }), 'InvalidWebhookUrl'],
    ['no expiry', () => ({ exp: undefined }), 'InvalidTtl'],
    ['more than 30 days', () => ({ exp: iat() + 30 * 86_400 + 1 }), 'InvalidTtl'],
    ['an expiry in the past', () => ({ iat: iat() - 500, exp: iat() - 121 }), 'InvalidJwt'],
    ['an issue time in the future', () => ({ iat: iat() + 121 }), 'InvalidJwt'],
    ['another relay', () => ({ aud: 'wss://other.example' }), 'InvalidJwt'],
    ['another type', () => ({ typ: 'observer' }), 'InvalidJwt'],
    ['no tags', () => ({ tag: [] }), 'InvalidJwt'],
    ['tags that are not numbers', () => ({ tag: ['1108'] }), 'InvalidJwt'],
    ['an unknown status', () => ({ sts: ['accepted', 'read'] }), 'InvalidJwt'],
    ['another client as issuer', () => ({ iss: dapp.clientId }), 'InvalidJwt'],
  ]
  test.each(cases)('registering with %s is rejected', async (_what, change, data) => {
    await expect(watches.register(createToken(wallet, change()))).rejects.toMatchObject({ code: -32000, data })
  })

  test.each([undefined, 7, '', 'a.b.c'])('registering and unregistering reject %o', async (value) => {
    await expect(watches.register(value)).rejects.toMatchObject({ data: 'InvalidJwt' })
    await expect(watches.unregister(value)).rejects.toMatchObject({ data: 'InvalidJwt' })
  })

  test('a client can register 64 webhooks, and replace one of them', async () => {
    for (let hook = 0; hook < 64; hook += 1) await watches.register(createToken(wallet, { whu: `${address}/${hook}` }))
    const more = watches.register(createToken(wallet, { whu: `${address}/64` }))
    await expect(more).rejects.toMatchObject({ code: -32000, data: 'SubscriberLimitExceeded' })
    await watches.register(createToken(wallet, { whu: `${address}/0` }))
    await watches.unregister(createToken(wallet, { act: 'irn_watchUnregister', whu: `${address}/0` }))
    await watches.register(createToken(wallet, { whu: `${address}/64` }))
  })
})
