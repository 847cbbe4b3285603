import { memoryStorage } from '@latchkey/core'
import { manualClock } from '@latchkey/core/testing'
import { type LatchkeyError, requestError } from '@latchkey/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import { createChannel } from './createChannel.ts'
import type { Channel, PeerRequest } from './channel.ts'
import { sealEnvelope } from '../crypto/envelope.ts'
import { createKeyring, type Keyring } from '../crypto/keyring.ts'
import { createPayloadCodec } from './payloadCodec.ts'
import type { PublishOptions, Relay, SendOptions } from '../relay/relay.ts'

const clock = manualClock()
const topic = 'ab'.repeat(32)
const key = new Uint8Array(32).fill(7)

type Published = { message: string } & PublishOptions

let keyring: Keyring
let published: Published[]
let requests: PeerRequest[]

/** Publishes the next message at the relay. */
let deliver: (options: SendOptions) => Promise<void>
let channel: Channel

beforeEach(() => {
  keyring = createKeyring(memoryStorage(), '')
  keyring.holdInMemory(topic, key)
  published = []
  requests = []
  deliver = async ({ onSent }) => onSent?.()
  const relay = {
    async publish(_: string, message: string, postage: PublishOptions, options: SendOptions = {}) {
      published.push({ message, ...postage })
      await deliver(options)
    },
    // A channel uses nothing else of a relay.
  } as unknown as Relay
  channel = createChannel({ relay, keyring, clock, onRequest: (request) => requests.push(request) })
})

const receive = (payload: object): void =>
  channel.receive({ topic, message: sealEnvelope(JSON.stringify(payload), key) })
const read = (message: string): unknown => createPayloadCodec(keyring, clock).parse(topic, message)
const createPublishError = (code: number): LatchkeyError =>
  requestError('request/failed', { method: 'irn_publish', code, reason: 'no' })

describe('a peer request', () => {
  test('is passed on once when it is delivered repeatedly', () => {
    const ping = { id: 1, jsonrpc: '2.0', method: 'wc_sessionPing', params: {} }
    for (let time = 0; time < 3; time += 1) receive(ping)
    receive({ ...ping, id: 2 })
    expect(requests.map(({ id }) => id)).toEqual([1, 2])
  })

  test.each(['wc_sessionDance', 'eth_sendTransaction', 'toString'])(
    'with the unknown method %s is rejected with 10001 and tag 0',
    (method) => {
      receive({ id: 5, jsonrpc: '2.0', method, params: {} })
      expect(published).toMatchObject([{ tag: 0, ttl: 86_400, prompt: false }])
      expect(read(published[0]?.message ?? '')).toMatchObject({ kind: 'error', id: 5, code: 10_001 })
      expect(requests).toEqual([])
    },
  )
})

describe('an id', () => {
  test.each(['7', 7.5, 1e21, 2 ** 53, -(2 ** 53), null, true, [7], { id: 7 }, undefined])(
    'of the form %j is ignored, because two parsers could read different ids',
    (id) => {
      receive({ id, jsonrpc: '2.0', method: 'wc_sessionPing', params: {} })
      receive({ id, jsonrpc: '2.0', result: true })
      expect([requests, published]).toEqual([[], []])
    },
  )

  test('of a request in one direction does not belong to the other direction', async () => {
    const { id, response } = channel.request(topic, 'wc_sessionPing', {})
    receive({ id, jsonrpc: '2.0', method: 'wc_sessionRequest', params: {} })
    expect(requests).toMatchObject([{ id, method: 'wc_sessionRequest' }])
    receive({ id, jsonrpc: '2.0', result: 'pong' })
    expect(await response).toBe('pong')
  })

  test('of pending requests may be equal on two topics', async () => {
    const other = 'cd'.repeat(32)
    keyring.holdInMemory(other, key)
    const responses = [topic, other].map((each) =>
      channel.awaitResponse({ topic: each, id: 7, method: 'wc_sessionPropose' }, 60),
    )
    for (const each of [other, topic]) {
      const message = sealEnvelope(JSON.stringify({ id: 7, jsonrpc: '2.0', result: each }), key)
      channel.receive({ topic: each, message })
    }
    expect(await Promise.all(responses)).toEqual([topic, other])
  })
})

describe('a response', () => {
  test('settles its request only on the same topic, because ids can be guessed', async () => {
    const { id, response } = channel.request(topic, 'wc_sessionPing', {})
    const other = 'cd'.repeat(32)
    keyring.holdInMemory(other, key)
    channel.receive({
      topic: other,
      message: sealEnvelope(JSON.stringify({ id, jsonrpc: '2.0', result: 'forged' }), key),
    })
    receive({ id, jsonrpc: '2.0', result: 'true' })
    expect(await response).toBe('true')
  })
})

describe('a message that the relay refuses', () => {
  test('rejects its request, because it cannot have arrived', async () => {
    deliver = async ({ onSent }) => {
      onSent?.()
      throw createPublishError(-32_600)
    }
    await expect(channel.request(topic, 'wc_sessionRequest', {}).response).rejects.toMatchObject({
      code: 'request/failed',
    })
  })

  test('on the second try keeps its request pending, because the first copy may have arrived', async () => {
    deliver = async ({ onSent }) => {
      onSent?.()
      onSent?.()
      throw createPublishError(3001)
    }
    const { id, response, published } = channel.request(topic, 'wc_sessionRequest', {})
    await expect(published).rejects.toMatchObject({ code: 'request/failed' })
    receive({ id, jsonrpc: '2.0', result: '0xsigned' })
    expect(await response).toBe('0xsigned')
  })
})
