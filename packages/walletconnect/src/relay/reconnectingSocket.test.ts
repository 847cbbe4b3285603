import type { AddressInfo } from 'node:net'
import { manualClock, type ManualClock } from '@latchkey/core/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createRelayFailover } from './relayFailover.ts'
import {
  createReconnectingSocket,
  type ReconnectingSocket,
  type ReconnectingSocketOptions,
} from './reconnectingSocket.ts'

type Frame = { id: string; method?: string; params?: unknown }

/** The messages to a relay that responds only when the test says so. */
type ReceivedEvents = { frames: Frame[]; connections: WebSocket[] }

let server: WebSocketServer
let received: ReceivedEvents
let clock: ManualClock
let wake: () => void
let isNeeded: boolean
let socket: ReconnectingSocket

const getUrl = (): string => `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
const getLastConnection = (): WebSocket => received.connections.at(-1) ?? expect.fail('no client has connected')
const respond = (frame: Frame | undefined, result: unknown): void =>
  getLastConnection().send(JSON.stringify({ id: frame?.id, jsonrpc: '2.0', result }))
const getSocketState = (): string => socket.status.get().state

function makeSocket(options: Partial<ReconnectingSocketOptions> = {}): ReconnectingSocket {
  return createReconnectingSocket({
    origin: 'ws://relay.test',
    failover: createRelayFailover({ urls: ['one'], addressOf: async () => getUrl(), now: clock.now }),
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
  received = { frames: [], connections: [] }
  clock = manualClock()
  isNeeded = false
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  server.on('connection', (connection) => {
    received.connections.push(connection)
    connection.on('message', (data) => received.frames.push(JSON.parse(String(data)) as Frame))
  })
  await new Promise<void>((resolve) => void server.once('listening', resolve))
  socket = makeSocket()
})

afterEach(async () => {
  socket.close()
  for (const connection of received.connections) connection.terminate()
  await new Promise<void>((resolve) => void server.close(() => resolve()))
})

describe('createReconnectingSocket', () => {
  test('opens with the first request and closes when nothing needs it', async () => {
    expect(getSocketState()).toBe('idle')
    const pendingResponse = socket.request('irn_publish', {}, { timeoutSeconds: 60 })
    expect(getSocketState()).toBe('connecting')
    await expect.poll(() => received.frames).toHaveLength(1)
    expect(getSocketState()).toBe('open')
    respond(received.frames[0], true)
    expect(await pendingResponse).toBe(true)
    expect(getSocketState()).toBe('idle')
    expect(clock.waiting()).toBe(0)
  })

  test('uses request ids of nineteen digits, and accepts responses with text and number ids', async () => {
    isNeeded = true
    const pendingResponse = [1, 2].map(() => socket.request('irn_publish', {}, { timeoutSeconds: 60 }))
    await expect.poll(() => received.frames).toHaveLength(2)
    const [one, other] = received.frames
    expect(one?.id).toMatch(/^\d{19}$/)
    getLastConnection().send(`{"jsonrpc":"2.0","result":"first","id":${one?.id}}`)
    getLastConnection().send(`{"id":"${other?.id}","jsonrpc":"2.0","result":"second"}`)
    expect(await Promise.all(pendingResponse)).toEqual(['first', 'second'])
  })

  test('sends a request again after a reconnect with the same id', async () => {
    const pendingResponse = socket.request('irn_publish', { message: 'm' }, { timeoutSeconds: 60 })
    await expect.poll(() => received.frames).toHaveLength(1)
    getLastConnection().terminate()
    await expect.poll(getSocketState).toBe('waiting')
    clock.advance(30_000)
    await expect.poll(() => received.frames).toHaveLength(2)
    expect(received.frames[1]).toEqual(received.frames[0])
    respond(received.frames[1], true)
    expect(await pendingResponse).toBe(true)
  })

  test('waits longer after each failure, for at most thirty seconds', async () => {
    const waits: number[] = []
    socket = makeSocket({ createSocket: () => expect.fail('no network') })
    socket.status.subscribe((status) => {
      if (status.state === 'waiting') waits.push(status.retryAt - clock.now())
    })
    isNeeded = true
    socket.openOrClose()
    for (let attempt = 1; attempt < 12; attempt += 1) {
      await expect.poll(() => waits.length).toBe(attempt)
      clock.advance(waits.at(-1) ?? 0)
    }
    expect(waits[0]).toBeLessThanOrEqual(250)
    expect(waits[3]).toBeGreaterThanOrEqual(1000)
    expect(Math.max(...waits)).toBeLessThanOrEqual(30_000)
    expect(waits.at(-1)).toBeGreaterThanOrEqual(15_000)
  })

  test('connects at once when the network is back or the page becomes visible', async () => {
    isNeeded = true
    socket.openOrClose()
    await expect.poll(() => received.connections).toHaveLength(1)
    getLastConnection().terminate()
    await expect.poll(getSocketState).toBe('waiting')
    wake()
    await expect.poll(() => received.connections).toHaveLength(2)
    await expect.poll(getSocketState).toBe('open')
  })

  test('tests a silent connection when the page becomes visible', async () => {
    let opened = 0
    isNeeded = true
    socket = makeSocket({ onOpen: () => void (opened += 1) })
    socket.openOrClose()
    await expect.poll(() => opened).toBe(1)
    wake()
    expect(opened).toBe(1)
    clock.advance(30_001)
    wake()
    expect(opened).toBe(2)
  })

  test('tests its connection after the machine slept or the page was frozen, without an event [R9.1.9]', async () => {
    let opened = 0
    let slept = 0
    isNeeded = true
    socket = makeSocket({ clock: { ...clock, now: () => clock.now() + slept }, onOpen: () => void (opened += 1) })
    socket.openOrClose()
    await expect.poll(() => opened).toBe(1)
    clock.advance(60_000)
    expect(opened).toBe(1)
    slept = 3_600_000
    clock.advance(15_000)
    expect(opened).toBe(2)
  })

  test('closes a connection without responses', async () => {
    const pendingResponse = socket.request('irn_publish', {}, { timeoutSeconds: 60 })
    await expect.poll(() => received.frames).toHaveLength(1)
    clock.advance(10_000)
    expect(getSocketState()).toBe('waiting')
    clock.advance(250)
    await expect.poll(() => received.frames).toHaveLength(2)
    respond(received.frames[1], true)
    expect(await pendingResponse).toBe(true)
  })

  test('aborts a connection that does not open within 15 seconds', async () => {
    const route = createRelayFailover({ urls: ['one'], addressOf: () => new Promise(() => {}), now: clock.now })
    socket = makeSocket({ failover: route })
    isNeeded = true
    socket.openOrClose()
    clock.advance(14_999)
    expect(getSocketState()).toBe('connecting')
    clock.advance(1)
    expect(getSocketState()).toBe('waiting')
  })

  test('rejects with relay/unreachable when a request times out', async () => {
    socket = makeSocket({ createSocket: () => expect.fail('no network') })
    let isSent = false
    const pendingResponse = socket.request(
      'irn_publish',
      {},
      { timeoutSeconds: 60, onSent: () => void (isSent = true) },
    )
    const failure = pendingResponse.catch((error: unknown) => error)
    clock.advance(60_000)
    expect(await failure).toMatchObject({
      code: 'relay/unreachable',
      context: { origin: 'ws://relay.test' },
    })
    expect(isSent).toBe(false)
    expect(getSocketState()).toBe('idle')
  })

  test('reports why the relay refused it, and retries only with the next request', async () => {
    const pendingResponse = socket.request('irn_publish', {}, { timeoutSeconds: 60 })
    const failure = pendingResponse.catch((error: unknown) => error)
    await expect.poll(() => received.frames).toHaveLength(1)
    getLastConnection().close(3000, 'Unauthorized: origin not allowed')
    expect(await failure).toMatchObject({
      code: 'relay/refused',
      context: { reason: 'Unauthorized: origin not allowed' },
    })
    expect(socket.status.get()).toEqual({ state: 'refused', reason: 'Unauthorized: origin not allowed' })
    isNeeded = true
    clock.advance(600_000)
    expect(received.connections).toHaveLength(1)
    socket.open()
    await expect.poll(() => received.connections).toHaveLength(2)
  })

  test('rejects with an error of the relay', async () => {
    const pendingResponse = socket.request('irn_publish', {}, { timeoutSeconds: 60 })
    await expect.poll(() => received.frames).toHaveLength(1)
    const error = { code: -32_600, message: 'Payload size limit exceeded', data: 'PayloadSizeExceeded' }
    getLastConnection().send(JSON.stringify({ id: received.frames[0]?.id, jsonrpc: '2.0', error }))
    await expect(pendingResponse).rejects.toMatchObject({ code: 'request/failed', context: { code: -32_600 } })
  })

  test('acknowledges a push with the exact id before it is processed', async () => {
    const order: string[] = []
    isNeeded = true
    socket = makeSocket({ onPush: () => void order.push('push') })
    socket.openOrClose()
    await expect.poll(getSocketState).toBe('open')
    const responses: string[] = []
    getLastConnection().on('message', (data) => responses.push(String(data)))
    const params = JSON.stringify({ id: 'ab'.repeat(32), data: { topic: 't', message: 'm' } })
    getLastConnection().send(
      `{"params":${params},"method":"irn_subscription","jsonrpc":"2.0","id":1234567890123456789}`,
    )
    await expect.poll(() => responses).toEqual(['{"id":1234567890123456789,"jsonrpc":"2.0","result":true}'])
    expect(order).toEqual(['push'])
  })

  test('ignores malformed messages', async () => {
    isNeeded = true
    socket.openOrClose()
    await expect.poll(getSocketState).toBe('open')
    for (const frame of [
      '',
      'null',
      '[]',
      '{',
      '{"id":1}',
      '{"id":{},"method":"irn_subscription","params":1}',
      '{"id":5,"result":true}',
    ]) {
      getLastConnection().send(frame)
    }
    const pendingResponse = socket.request('irn_publish', {}, { timeoutSeconds: 60 })
    await expect.poll(() => received.frames.at(-1)?.method).toBe('irn_publish')
    respond(received.frames.at(-1), 'still there')
    expect(await pendingResponse).toBe('still there')
  })

  test('does not repeat a request that is sent only once', async () => {
    isNeeded = true
    const pendingResponse = socket.request('irn_batchSubscribe', {}, { timeoutSeconds: 60, isSentOnce: true })
    const failure = pendingResponse.catch((error: unknown) => error)
    await expect.poll(() => received.frames).toHaveLength(1)
    getLastConnection().terminate()
    expect(await failure).toMatchObject({ code: 'relay/unreachable' })
  })
})
