import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createSocketWriter, type SocketWriter } from './socketWriter.ts'

let server: WebSocketServer
let client: WebSocket
let writer: SocketWriter
/** The number of times that buffered frames were written. */
let writes: number
let received: string[]

beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  client = new WebSocket(`ws://127.0.0.1:${port}`)
  received = []
  client.on('message', (data) => received.push(String(data)))
  const [[socket, { socket: stream }]] = (await Promise.all([once(server, 'connection'), once(client, 'open')])) as [
    [WebSocket, { socket: Socket }],
    unknown,
  ]
  writes = 0
  const uncork = (): void => {
    writes += 1
    stream.uncork()
  }
  writer = createSocketWriter({
    socket,
    stream: { cork: () => stream.cork(), uncork },
    clock: { now: () => 0 },
    onDrain: () => undefined,
  })
})

afterEach(() => {
  client.terminate()
  server.close()
})

test('the frames of one turn of the event loop take one write, in their order', async () => {
  const texts = Array.from({ length: 50 }, (_, index) => `frame ${index}`)
  for (const text of texts.slice(0, 25)) writer.sendResponse(text)
  for (const text of texts.slice(25)) expect(writer.trySendMessage(() => text)).toBe(true)
  await expect.poll(() => received).toEqual(texts)
  expect(writes).toBe(1)
})

test('frames of promises that settle in one turn take one write', async () => {
  await Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      for (let turn = 0; turn < index; turn++) await undefined
      writer.sendResponse(String(index))
    }),
  )
  await expect.poll(() => received).toHaveLength(10)
  expect(writes).toBe(1)
})

test('a frame of a later turn is written by itself', async () => {
  writer.sendResponse('one')
  await new Promise(setImmediate)
  writer.sendResponse('two')
  await expect.poll(() => received).toEqual(['one', 'two'])
  expect(writes).toBe(2)
})
