import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createAddressMemory, type AddressMemory } from '../limits/addressMemory.ts'
import { createSocketWriter, type SocketWriter } from './socketWriter.ts'

const address = '192.0.2.1'
const maximum = 1024 * 1024

let server: WebSocketServer
let client: WebSocket
let writer: SocketWriter
let memory: AddressMemory
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
  memory = createAddressMemory(maximum)
  writer = createSocketWriter({
    memory,
    source: { address },
    socket,
    stream: { cork: () => stream.cork(), uncork, write: stream.write.bind(stream) },
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

describe('the memory of an address', () => {
  const frame = 'x'.repeat(100 * 1024)

  test('frames that a client does not read are charged, and free again when it has read them', async () => {
    writer.sendResponse(frame)
    expect(memory.largest()).toBe(64 * 1024)
    await expect.poll(() => received).toHaveLength(1)
    writer.checkProgress()
    expect(memory.total()).toBe(0)
  })

  test('a client with buffered frames gets no more messages while its address is full [R-08]', async () => {
    expect(writer.trySendMessage(() => frame)).toBe(true)
    memory.change(address, maximum)
    expect(writer.trySendMessage(() => frame)).toBe(false)
    memory.change(address, -maximum)
    await expect.poll(() => received).toHaveLength(1)
    writer.checkProgress()
    expect(writer.trySendMessage(() => frame)).toBe(true)
  })

  test('a client with buffered responses is disconnected while its address is full [R-08]', async () => {
    memory.change(address, maximum)
    const closed = once(client, 'close')
    for (let sent = 0; sent < 8; sent += 1) writer.sendResponse(frame)
    const [code] = await closed
    expect(code).toBe(1013)
  })

  test('a client that reads everything goes on while its address is full, with long responses, too', async () => {
    memory.change(address, maximum)
    writer.sendResponse(frame)
    await expect.poll(() => received).toHaveLength(1)
    expect(writer.trySendMessage(() => 'message')).toBe(true)
    await expect.poll(() => received).toEqual([frame, 'message'])
  })

  test('a connection that has ended frees the memory of its frames', async () => {
    writer.sendResponse(frame)
    writer.end()
    expect(memory.total()).toBe(0)
  })
})
