import type { AddressInfo } from 'node:net'
import { manualClock, type ManualClock } from '@latchkey/core/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createRelayRoute } from './relayRoute.ts'
import { createRelaySocket, type RelaySocket, type RelaySocketOptions } from './relaySocket.ts'

type Frame = { id: string; method?: string; params?: unknown }

/** What a relay heard that answers only when the test says so. */
type Heard = { frames: Frame[]; connections: WebSocket[] }

let server: WebSocketServer
let heard: Heard
let clock: ManualClock
let wake: () => void
let isNeeded: boolean
let socket: RelaySocket

const url = (): string => `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
const last = (): WebSocket => heard.connections.at(-1) ?? expect.fail('nobody has connected')
const answer = (frame: Frame | undefined, result: unknown): void =>
  last().send(JSON.stringify({ id: frame?.id, jsonrpc: '2.0', result }))
const state = (): string => socket.status.get().state

function makeSocket(options: Partial<RelaySocketOptions> = {}): RelaySocket {
  return createRelaySocket({
    origin: 'ws://relay.test',
    route: createRelayRoute({ urls: ['one'], addressOf: async () => url(), now: clock.now }),
    createSocket: (address) => new WebSocket(address),
    clock,
    onWake(callback) {
      wake = callback
      return () => {
        wake = () => {}
      }
    },
    isNeeded: () => isNeeded,
    onOpen() {},
    onPush() {},
    ...options,
  })
}

beforeEach(async () => {
  heard = { frames: [], connections: [] }
  clock = manualClock()
  isNeeded = false
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  server.on('connection', (connection) => {
    heard.connections.push(connection)
    connection.on('message', (data) => heard.frames.push(JSON.parse(String(data)) as Frame))
  })
  await new Promise<void>((resolve) => void server.once('listening', resolve))
  socket = makeSocket()
})

afterEach(async () => {
  socket.close()
  for (const connection of heard.connections) connection.terminate()
  await new Promise<void>((resolve) => void server.close(() => resolve()))
})

describe('the socket to a relay', () => {
  test('opens with the first request and closes when nothing needs it any more', async () => {
    expect(state()).toBe('idle')
    const asking = socket.request('irn_publish', {}, { within: 60 })
    expect(state()).toBe('connecting')
    await expect.poll(() => heard.frames).toHaveLength(1)
    expect(state()).toBe('open')
    answer(heard.frames[0], true)
    expect(await asking).toBe(true)
    expect(state()).toBe('idle')
    expect(clock.waiting()).toBe(0)
  })

  test('names its requests with nineteen digits, and knows the answer by them as text and as number', async () => {
    isNeeded = true
    const asking = [1, 2].map(() => socket.request('irn_publish', {}, { within: 60 }))
    await expect.poll(() => heard.frames).toHaveLength(2)
    const [one, other] = heard.frames
    expect(one?.id).toMatch(/^\d{19}$/)
    last().send(`{"jsonrpc":"2.0","result":"first","id":${one?.id}}`)
    last().send(`{"id":"${other?.id}","jsonrpc":"2.0","result":"second"}`)
    expect(await Promise.all(asking)).toEqual(['first', 'second'])
  })

  test('asks again after a lost connection, with the same id', async () => {
    const asking = socket.request('irn_publish', { message: 'm' }, { within: 60 })
    await expect.poll(() => heard.frames).toHaveLength(1)
    last().terminate()
    await expect.poll(state).toBe('waiting')
    clock.advance(30_000)
    await expect.poll(() => heard.frames).toHaveLength(2)
    expect(heard.frames[1]).toEqual(heard.frames[0])
    answer(heard.frames[1], true)
    expect(await asking).toBe(true)
  })

  test('waits longer after each failure, and never more than half a minute', async () => {
    const waits: number[] = []
    socket = makeSocket({ createSocket: () => expect.fail('no network') })
    socket.status.subscribe((status) => {
      if (status.state === 'waiting') waits.push(status.retryAt - clock.now())
    })
    isNeeded = true
    socket.settle()
    for (let attempt = 1; attempt < 12; attempt += 1) {
      await expect.poll(() => waits.length).toBe(attempt)
      clock.advance(waits.at(-1) ?? 0)
    }
    expect(waits[0]).toBeLessThanOrEqual(250)
    expect(waits[3]).toBeGreaterThanOrEqual(1000)
    expect(Math.max(...waits)).toBeLessThanOrEqual(30_000)
    expect(waits.at(-1)).toBeGreaterThanOrEqual(15_000)
  })

  test('dials at once when the network is back or the page is seen again', async () => {
    isNeeded = true
    socket.settle()
    await expect.poll(() => heard.connections).toHaveLength(1)
    last().terminate()
    await expect.poll(state).toBe('waiting')
    wake()
    await expect.poll(() => heard.connections).toHaveLength(2)
    await expect.poll(state).toBe('open')
  })

  test('tries a connection that was silent for long when the page is seen again', async () => {
    let opened = 0
    isNeeded = true
    socket = makeSocket({ onOpen: () => void (opened += 1) })
    socket.settle()
    await expect.poll(() => opened).toBe(1)
    wake()
    expect(opened).toBe(1)
    clock.advance(30_001)
    wake()
    expect(opened).toBe(2)
  })

  test('tries its connection when the machine has slept or the page was frozen, though nobody says so', async () => {
    let opened = 0
    let slept = 0
    isNeeded = true
    socket = makeSocket({ clock: { ...clock, now: () => clock.now() + slept }, onOpen: () => void (opened += 1) })
    socket.settle()
    await expect.poll(() => opened).toBe(1)
    clock.advance(60_000)
    expect(opened).toBe(1)
    slept = 3_600_000
    clock.advance(15_000)
    expect(opened).toBe(2)
  })

  test('takes a connection on which nothing is answered for dead', async () => {
    const asking = socket.request('irn_publish', {}, { within: 60 })
    await expect.poll(() => heard.frames).toHaveLength(1)
    clock.advance(10_000)
    expect(state()).toBe('waiting')
    clock.advance(250)
    await expect.poll(() => heard.frames).toHaveLength(2)
    answer(heard.frames[1], true)
    expect(await asking).toBe(true)
  })

  test('gives up a connection that does not open within 15 seconds', async () => {
    const route = createRelayRoute({ urls: ['one'], addressOf: () => new Promise(() => {}), now: clock.now })
    socket = makeSocket({ route })
    isNeeded = true
    socket.settle()
    clock.advance(14_999)
    expect(state()).toBe('connecting')
    clock.advance(1)
    expect(state()).toBe('waiting')
  })

  test('says that the relay is out of reach when a request ran out of time', async () => {
    socket = makeSocket({ createSocket: () => expect.fail('no network') })
    let isSent = false
    const asking = socket.request('irn_publish', {}, { within: 60, onSent: () => void (isSent = true) })
    const failure = asking.catch((error: unknown) => error)
    clock.advance(60_000)
    expect(await failure).toMatchObject({
      code: 'relay/unreachable',
      context: { origin: 'ws://relay.test' },
    })
    expect(isSent).toBe(false)
    expect(state()).toBe('idle')
  })

  test('tells why the relay refused it, and tries again only when it is asked to', async () => {
    const asking = socket.request('irn_publish', {}, { within: 60 })
    const failure = asking.catch((error: unknown) => error)
    await expect.poll(() => heard.frames).toHaveLength(1)
    last().close(3000, 'Unauthorized: origin not allowed')
    expect(await failure).toMatchObject({
      code: 'relay/refused',
      context: { reason: 'Unauthorized: origin not allowed' },
    })
    expect(socket.status.get()).toEqual({ state: 'refused', reason: 'Unauthorized: origin not allowed' })
    isNeeded = true
    clock.advance(600_000)
    expect(heard.connections).toHaveLength(1)
    socket.open()
    await expect.poll(() => heard.connections).toHaveLength(2)
  })

  test('passes on an error that the relay answers', async () => {
    const asking = socket.request('irn_publish', {}, { within: 60 })
    await expect.poll(() => heard.frames).toHaveLength(1)
    const error = { code: -32_600, message: 'Payload size limit exceeded', data: 'PayloadSizeExceeded' }
    last().send(JSON.stringify({ id: heard.frames[0]?.id, jsonrpc: '2.0', error }))
    await expect(asking).rejects.toMatchObject({ code: 'request/failed', context: { code: -32_600 } })
  })

  test('acknowledges a push in the very digits of its id before anybody looks at it', async () => {
    const order: string[] = []
    isNeeded = true
    socket = makeSocket({ onPush: () => void order.push('push') })
    socket.settle()
    await expect.poll(state).toBe('open')
    const answers: string[] = []
    last().on('message', (data) => answers.push(String(data)))
    const params = JSON.stringify({ id: 'ab'.repeat(32), data: { topic: 't', message: 'm' } })
    last().send(`{"params":${params},"method":"irn_subscription","jsonrpc":"2.0","id":1234567890123456789}`)
    await expect.poll(() => answers).toEqual(['{"id":1234567890123456789,"jsonrpc":"2.0","result":true}'])
    expect(order).toEqual(['push'])
  })

  test('overlooks frames that make no sense', async () => {
    isNeeded = true
    socket.settle()
    await expect.poll(state).toBe('open')
    for (const frame of [
      '',
      'null',
      '[]',
      '{',
      '{"id":1}',
      '{"id":{},"method":"irn_subscription","params":1}',
      '{"id":5,"result":true}',
    ]) {
      last().send(frame)
    }
    const asking = socket.request('irn_publish', {}, { within: 60 })
    await expect.poll(() => heard.frames.at(-1)?.method).toBe('irn_publish')
    answer(heard.frames.at(-1), 'still there')
    expect(await asking).toBe('still there')
  })

  test('does not ask again what was to be asked only once', async () => {
    isNeeded = true
    const asking = socket.request('irn_batchSubscribe', {}, { within: 60, once: true })
    const failure = asking.catch((error: unknown) => error)
    await expect.poll(() => heard.frames).toHaveLength(1)
    last().terminate()
    expect(await failure).toMatchObject({ code: 'relay/unreachable' })
  })
})
