import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createInProcessBus, type Bus } from '../../kit/bus.ts'
import type { Clock } from '../../kit/clock.ts'
import { openDatabase, type Database } from '../../kit/database.ts'
import { migrate } from '../../kit/migrations.ts'
import { createSafeFetch } from '../../kit/safeFetch.ts'
import { createClientKey, createTestDatabase, signToken, type ClientKey } from '../../testing/index.ts'
import { readSignedToken } from '../auth.ts'
import { relayLimits } from '../config.ts'
import { readRelayIdentity } from '../identity.ts'
import type { Mailbox, Publication } from '../mailbox.ts'
import { relayMigrations } from '../migrations.ts'
import { createPostgresMailbox } from '../postgresMailbox.ts'
import { createEventQueue } from './eventQueue.ts'
import { createWatches, type Watches } from './index.ts'

/** What the webhook was told, and how it answers. */
type Told = { path: string; claims: Readonly<Record<string, unknown>>; event: Readonly<Record<string, unknown>> }

const { log } = Fastify({ logger: false })
const relayUrl = 'wss://relay.example.org'
const opened: Watches[] = []

let close: () => Promise<void>
let database: Database
let bus: Bus
let mailbox: Mailbox
let service: Server
let address: string
let told: Told[]
let answers: number[]
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
    identity: await readRelayIdentity(database.kysely),
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
  await migrate(database.kysely, relayMigrations)
  bus = createInProcessBus()
  mailbox = createPostgresMailbox({ database, clock, limits: relayLimits('local').mailbox })
  service = createServer((request, response) => {
    void readBody(request).then((text) => {
      told.push(readTold(request.url ?? '', text))
      response.writeHead(answers.shift() ?? 204, { location: '/redirected' }).end('x'.repeat(100_000))
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
  told = []
  answers = []
})

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

function readTold(path: string, text: string): Told {
  // What the relay of these tests wrote.
  const { eventAuth } = JSON.parse(text) as { eventAuth: [string] }
  const signed = readSignedToken(eventAuth[0])
  if (typeof signed === 'string' || eventAuth.length !== 1)
    throw new Error('The webhook was told nothing that is signed.')
  return { path, claims: signed.claims, event: signed.claims['evt'] as Told['event'] }
}

function token(key: ClientKey, change: object = {}): string {
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

async function publish(message: string, change: Partial<Publication> = {}): Promise<number> {
  const publication = {
    topic,
    message,
    ttl: 300,
    tag: 1108,
    attestation: 'who',
    origin: '',
    publisher: dapp.clientId,
    ...change,
  }
  const stored = await mailbox.store(publication)
  if (stored.outcome !== 'stored') throw new Error(`expected to be stored, was ${stored.outcome}`)
  watches.tap.accepted?.(stored.message)
  await watches.noted()
  return stored.message.sequence
}

async function acknowledge(sequence: number): Promise<void> {
  await mailbox.acknowledge(sequence, wallet.clientId)
  watches.tap.delivered?.(topic, sequence, wallet.clientId)
  await watches.noted()
}

async function listen(): Promise<void> {
  watches.tap.subscribed?.(topic, wallet.clientId)
  await watches.noted()
}

const events = (): readonly unknown[] => told.map(({ event }) => [event['status'], event['message']])

describe('a service that watches', () => {
  test('a subscriber is told when a message comes, and when the client has it, signed by the relay', async () => {
    await watches.register(token(wallet))
    await listen()
    const sequence = await publish('sealed')
    await acknowledge(sequence)
    expect(await watches.tell()).toBe(2)
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
    const sorted = told.toSorted((one, other) =>
      String(one.event['status']).localeCompare(String(other.event['status'])),
    )
    expect(sorted.map(({ path, claims: told }) => [path, told])).toEqual([
      ['/hook', { ...claims, evt }],
      ['/hook', { ...claims, evt: { ...evt, status: 'delivered' } }],
    ])
  })

  test('a subscriber is told that a message waits when nobody takes it for some seconds', async () => {
    await watches.register(token(wallet, { sts: ['queued'] }))
    await listen()
    watches.tap.left?.(topic, wallet.clientId)
    const taken = await publish('taken')
    await publish('waits')
    now += 4_000
    await acknowledge(taken)
    await mailbox.idle()
    expect(await watches.tell()).toBe(0)
    now += 1_000
    expect(await watches.tell()).toBe(1)
    expect(events()).toEqual([['queued', 'waits']])
  })

  test('a publisher is told of what it publishes, whoever listens', async () => {
    await watches.register(token(dapp, { typ: 'publisher' }))
    await publish('sent')
    await publish('from another', { publisher: wallet.clientId })
    expect(await watches.tell()).toBe(1)
    expect(events()).toEqual([['accepted', 'sent']])
  })

  test('hears only of the tags that it asked for, and of what others publish', async () => {
    await watches.register(token(wallet, { sts: ['accepted'] }))
    await listen()
    await publish('other tag', { tag: 1100 })
    await publish('its own', { publisher: wallet.clientId })
    await publish('elsewhere', { topic: 'f'.repeat(64) })
    await publish('right')
    await watches.tell()
    expect(events()).toEqual([['accepted', 'right']])
  })

  test('hears of topics that the client listened on before, and no more once it stops', async () => {
    await listen()
    await watches.register(token(wallet, { sts: ['accepted'] }))
    await publish('first')
    watches.tap.unsubscribed?.(topic, wallet.clientId)
    await watches.noted()
    await publish('second')
    await watches.tell()
    expect(events()).toEqual([['accepted', 'first']])
  })

  test('hears nothing once the watch ended or ran out', async () => {
    await watches.register(token(wallet))
    await listen()
    await watches.unregister(token(wallet, { act: 'irn_watchUnregister', exp: undefined }))
    await publish('first')
    await watches.register(token(wallet, { exp: Math.floor(now / 1000) + 60 }))
    now += 61_000
    await publish('second')
    now += 10_000
    expect(await watches.tell()).toBe(0)
  })

  test('has one watch for each webhook: a second one takes its place', async () => {
    await watches.register(token(wallet, { sts: ['accepted'], tag: [1] }))
    await watches.register(token(wallet, { sts: ['accepted'] }))
    await listen()
    await publish('sealed')
    expect(await watches.tell()).toBe(1)
  })
})

describe('a webhook', () => {
  beforeEach(async () => {
    await watches.register(token(wallet, { sts: ['accepted'] }))
    await listen()
    await publish('sealed')
  })

  test.each([200, 204, 302, 400, 404, 429])('that answers %i was told', async (status) => {
    answers = [status]
    expect(await watches.tell()).toBe(1)
    now += 3_600_000
    expect(await watches.tell()).toBe(0)
    expect(told.map(({ path }) => path)).toEqual(['/hook'])
  })

  test('that answers 5xx is told again, later and later, for a day', async () => {
    answers = Array.from({ length: 100 }, () => 503)
    const start = now
    const tries: number[] = []
    for (; now < start + 48 * 3_600_000; now += 1_000) {
      if (now > start + 300_000) now += 599_000
      if ((await watches.tell()) > 0) tries.push((now - start) / 1_000)
    }
    expect(tries.slice(0, 8)).toEqual([0, 2, 6, 14, 30, 62, 126, 254])
    expect(tries.at(-1)).toBeGreaterThan(22 * 3_600)
    expect(tries.at(-1)).toBeLessThanOrEqual(24 * 3_600)
    expect(told).toHaveLength(tries.length)
  })

  test('that answers well at last is told no more', async () => {
    answers = [500, 502, 200]
    for (let second = 0; second < 60; second += 1) {
      await watches.tell()
      now += 1_000
    }
    expect(told).toHaveLength(3)
  })

  test('that does not answer keeps no other waiting', async () => {
    for (let message = 0; message < 100; message += 1) await publish(`message ${message}`)
    await watches.register(token(wallet, { sts: ['accepted'], whu: `${address}/other` }))
    await publish('for both')
    answers = Array.from({ length: 11 }, () => 503)
    expect(await watches.tell()).toBe(11)
    expect(await watches.tell()).toBe(0)
    expect(told.filter(({ path }) => path === '/other')).toHaveLength(1)
    now += 2_000
    expect(await watches.tell()).toBe(11)
  })

  test('is told once by several processes that all want to', async () => {
    const others = await Promise.all([open(), open(), open()])
    for (let message = 0; message < 60; message += 1) await publish(`message ${message}`)
    const tell = async (each: Watches): Promise<void> => {
      while ((await each.tell()) > 0);
    }
    await Promise.all([watches, ...others].map(tell))
    expect(told).toHaveLength(61)
    expect(new Set(told.map(({ event }) => event['messageId'])).size).toBe(61)
  })

  test('is told by another process what one took along when it was lost', async () => {
    expect(await createEventQueue(database.kysely, clock).claim()).toHaveLength(1)
    now += 29_000
    expect(await watches.tell()).toBe(0)
    now += 1_000
    expect(await watches.tell()).toBe(1)
    expect(told).toHaveLength(1)
  })
})

describe('a JWT', () => {
  const iat = (): number => Math.floor(now / 1000)
  type Case = [what: string, change: () => object, tag: string]
  const cases: Case[] = [
    ['another action', () => ({ act: 'irn_watchUnregister' }), 'InvalidAction'],
    ['no action', () => ({ act: undefined }), 'InvalidAction'],
    ['a service that is no address', () => ({ sub: 'service' }), 'InvalidServiceUrl'],
    ['a service that is too long', () => ({ sub: `https://service.example/${'x'.repeat(256)}` }), 'InvalidServiceUrl'],
    ['no webhook', () => ({ whu: undefined }), 'InvalidWebhookUrl'],
    ['a webhook that is no address', () => ({ whu: 'hook' }), 'InvalidWebhookUrl'],
    ['a webhook with credentials', () => ({ whu: 'https://a:b@service.example' }), 'InvalidWebhookUrl'],
    ['a webhook of 257 characters', () => ({ whu: `https://service.example/${'x'.repeat(233)}` }), 'InvalidWebhookUrl'],
    ['a webhook that is no http', () => ({ whu: 'file:///etc/passwd' }), 'InvalidWebhookUrl'],
    ['no expiry', () => ({ exp: undefined }), 'InvalidTtl'],
    ['more than 30 days', () => ({ exp: iat() + 30 * 86_400 + 1 }), 'InvalidTtl'],
    ['an expiry that is over', () => ({ iat: iat() - 500, exp: iat() - 121 }), 'InvalidJwt'],
    ['a time that is to come', () => ({ iat: iat() + 121 }), 'InvalidJwt'],
    ['another relay', () => ({ aud: 'wss://other.example' }), 'InvalidJwt'],
    ['another type', () => ({ typ: 'observer' }), 'InvalidJwt'],
    ['no tags', () => ({ tag: [] }), 'InvalidJwt'],
    ['tags that are no numbers', () => ({ tag: ['1108'] }), 'InvalidJwt'],
    ['another status', () => ({ sts: ['accepted', 'read'] }), 'InvalidJwt'],
    ['somebody else as issuer', () => ({ iss: dapp.clientId }), 'InvalidJwt'],
  ]
  test.each(cases)('with %s registers nothing', async (_what, change, data) => {
    await expect(watches.register(token(wallet, change()))).rejects.toMatchObject({ code: -32000, data })
  })

  test.each([undefined, 7, '', 'a.b.c'])('is not %o', async (value) => {
    await expect(watches.register(value)).rejects.toMatchObject({ data: 'InvalidJwt' })
    await expect(watches.unregister(value)).rejects.toMatchObject({ data: 'InvalidJwt' })
  })

  test('of a client is taken for 64 webhooks, and for one of them anew', async () => {
    for (let hook = 0; hook < 64; hook += 1) await watches.register(token(wallet, { whu: `${address}/${hook}` }))
    const more = watches.register(token(wallet, { whu: `${address}/64` }))
    await expect(more).rejects.toMatchObject({ code: -32000, data: 'SubscriberLimitExceeded' })
    await watches.register(token(wallet, { whu: `${address}/0` }))
    await watches.unregister(token(wallet, { act: 'irn_watchUnregister', whu: `${address}/0` }))
    await watches.register(token(wallet, { whu: `${address}/64` }))
  })
})
