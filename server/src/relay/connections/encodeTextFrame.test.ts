import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { encodeTextFrame } from './encodeTextFrame.ts'

/** Writes texts as frames to a client of the socket library, and returns what it receives. */
async function transmit(texts: readonly string[]): Promise<readonly string[]> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => server.close())
  await once(server, 'listening')
  server.on('connection', (socket, { socket: stream }) => {
    for (const text of texts) stream.write(encodeTextFrame(text))
    socket.close()
  })
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const received: string[] = []
  client.on('message', (data, isBinary) => received.push(isBinary ? 'binary' : String(data)))
  await once(client, 'close')
  return received
}

test('texts of all sizes survive, at the limits of the forms of their length', async () => {
  const texts = [0, 1, 125, 126, 127, 65_535, 65_536, 300_000].map((bytes) => 'a'.repeat(bytes))
  expect(await transmit(texts)).toEqual(texts)
})

test('texts outside of ASCII survive, and their length counts bytes', async () => {
  const texts = ['é'.repeat(125), '\u{1f511}'.repeat(100), 'ü', '\u007f', '\u0000'.repeat(126), 'é'.repeat(40_000)]
  expect(await transmit(texts)).toEqual(texts)
})
