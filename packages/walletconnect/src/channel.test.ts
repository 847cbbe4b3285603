import { memoryStorage } from '@latchkey/core'
import { manualClock } from '@latchkey/core/testing'
import { LatchkeyError } from '@latchkey/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import { createChannel, type Channel, type PeerRequest } from './channel.ts'
import { seal } from './crypto.ts'
import { createKeyring, type Keyring } from './keyring.ts'
import { createPayloads } from './payloads.ts'
import type { Postage, Relay, SendOptions } from './relay.ts'

const clock = manualClock()
const topic = 'ab'.repeat(32)
const key = new Uint8Array(32).fill(7)

type Published = { message: string } & Postage

let keyring: Keyring
let published: Published[]
let requests: PeerRequest[]
/** What the relay makes of the next message. */
let deliver: (options: SendOptions) => Promise<void>
let channel: Channel

beforeEach(() => {
  keyring = createKeyring(memoryStorage(), '')
  keyring.hold(topic, key)
  published = []
  requests = []
  deliver = async ({ onSent }) => onSent?.()
  const relay = {
    async publish(_: string, message: string, postage: Postage, options: SendOptions = {}) {
      published.push({ message, ...postage })
      await deliver(options)
    },
    // A channel does nothing else with a relay.
  } as unknown as Relay
  channel = createChannel({ relay, keyring, clock, onRequest: (request) => requests.push(request) })
})

const receive = (payload: object): void => channel.receive({ topic, message: seal(JSON.stringify(payload), key) })
const read = (message: string): unknown => createPayloads(keyring, clock).read(topic, message)
const failed = (code: number): LatchkeyError =>
  new LatchkeyError('request/failed', { method: 'irn_publish', code, reason: 'no' })

describe('what the other side asks', () => {
  test('is handed on once, however often it comes', () => {
    const ping = { id: 1, jsonrpc: '2.0', method: 'wc_sessionPing', params: {} }
    for (let time = 0; time < 3; time += 1) receive(ping)
    receive({ ...ping, id: 2 })
    expect(requests.map(({ id }) => id)).toEqual([1, 2])
  })

  test.each(['wc_sessionDance', 'eth_sendTransaction', 'toString'])(
    'in a method that nobody knows, %s, is answered with 10001 under tag 0',
    (method) => {
      receive({ id: 5, jsonrpc: '2.0', method, params: {} })
      expect(published).toMatchObject([{ tag: 0, ttl: 86_400, prompt: false }])
      expect(read(published[0]?.message ?? '')).toMatchObject({ kind: 'error', id: 5, code: 10_001 })
      expect(requests).toEqual([])
    },
  )
})

describe('an answer', () => {
  test('counts only on the topic of its request: ids can be guessed', async () => {
    const { id, answer } = channel.request(topic, 'wc_sessionPing', {})
    const other = 'cd'.repeat(32)
    keyring.hold(other, key)
    channel.receive({ topic: other, message: seal(JSON.stringify({ id, jsonrpc: '2.0', result: 'forged' }), key) })
    receive({ id, jsonrpc: '2.0', result: 'true' })
    expect(await answer).toBe('true')
  })
})

describe('a message that the relay refuses', () => {
  test('ends its exchange, because it cannot have arrived', async () => {
    deliver = async ({ onSent }) => {
      onSent?.()
      throw failed(-32_600)
    }
    await expect(channel.request(topic, 'wc_sessionRequest', {}).answer).rejects.toMatchObject({
      code: 'request/failed',
    })
  })

  test('on the second try may have arrived with the first: its answer is still waited for', async () => {
    deliver = async ({ onSent }) => {
      onSent?.()
      onSent?.()
      throw failed(3001)
    }
    const { id, answer, published: taken } = channel.request(topic, 'wc_sessionRequest', {})
    await expect(taken).rejects.toMatchObject({ code: 'request/failed' })
    receive({ id, jsonrpc: '2.0', result: '0xsigned' })
    expect(await answer).toBe('0xsigned')
  })
})
