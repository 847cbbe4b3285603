import { readdir } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectRelayClient, createClientKey, relayAddress, startTestPostgres } from '@latchkey/server/testing'
import { expect, test } from 'vitest'
import { openCase } from './faultCase.ts'
import { startRelayProcess } from './relayProcess.ts'

/** Slightly longer than the time limit of a handshake. */
const handshakeMilliseconds = 15_000

const text = 0x81
const binary = 0x82
const close = 0x88
const ping = 0x89

/** Invalid frames, with the close code of each. */
const malformed: ReadonlyArray<readonly [string, Buffer, number]> = [
  ['an unmasked frame', Buffer.concat([Buffer.of(text, 2), Buffer.from('{}')]), 1002],
  ['a reserved bit', encodeFrame(text | 0x40, '{}'), 1002],
  ['all reserved bits', encodeFrame(text | 0x70, '{}'), 1002],
  ['a reserved data opcode', encodeFrame(0x83, '{}'), 1002],
  ['a reserved control opcode', encodeFrame(0x8b, ''), 1002],
  ['a continuation of nothing', encodeFrame(0x80, '{}'), 1002],
  ['a second beginning', Buffer.concat([encodeFrame(0x01, '{'), encodeFrame(text, '}')]), 1002],
  ['a ping in pieces', encodeFrame(ping & 0x7f, ''), 1002],
  ['a ping of 126 bytes', encodeFrame(ping, 'x'.repeat(126)), 1002],
  ['a length beyond all numbers', Buffer.concat([Buffer.of(text, 0xff), Buffer.alloc(8, 0xff), randomBytes(4)]), 1009],
  ['text that is not UTF-8', encodeFrame(text, Buffer.of(0xc3, 0x28)), 1007],
  ['half a surrogate pair', encodeFrame(text, Buffer.of(0xed, 0xa0, 0x80)), 1007],
  ['bytes', encodeFrame(binary, Buffer.of(1, 2, 3)), 1003],
  ['a close of one byte', encodeFrame(close, Buffer.of(3)), 1002],
  ['the close code 999', encodeFrame(close, encodeCloseCode(999)), 1002],
  ['the close code 1005', encodeFrame(close, encodeCloseCode(1005)), 1002],
  ['the close code 5000', encodeFrame(close, encodeCloseCode(5000)), 1002],
  [
    'a close reason that is not UTF-8',
    encodeFrame(close, Buffer.concat([encodeCloseCode(1000), Buffer.of(0xff)])),
    1007,
  ],
]

/** Incomplete handshakes: the first bytes at once, then one byte per second. */
const unfinished: ReadonlyArray<readonly [string, string, string]> = [
  ['nothing at all', '', ''],
  ['half a handshake', 'GET /relay HTTP/1.1\r\nhost: relay\r\nupgr', ''],
  [
    'a handshake at one byte a second',
    'GET /relay HTTP/1.1\r\nhost: relay\r\n',
    'x-slow: 0123456789012345678901234567890123456789',
  ],
]

test('relay closes malformed frames with the expected code and leaks no socket [R-10]', async () => {
  const fault = await openCase('R-10')
  const postgres = fault.owns(await startTestPostgres())
  const relay = fault.owns(await startRelayProcess({ databaseUrl: postgres.url }))
  const port = Number(new URL(relay.url).port)
  await expectService(relay.url)
  const baseline = await countFiles(relay.pid)

  const codes = await Promise.all(
    malformed.map(async ([name, bytes]) => [name, closeCodeOf(await sendRaw(relay.url, bytes))] as const),
  )
  expect(codes).toEqual(malformed.map(([name, , expected]) => [name, expected]))

  const lives = await Promise.all(
    unfinished.map(([, begin, drip]) => measureLifetime(connect(port, '127.0.0.1'), begin, drip)),
  )
  fault.log({ lives: unfinished.map(([name], index) => `${name}: ${lives[index]} ms`) })
  expect(Math.max(...lives)).toBeLessThan(handshakeMilliseconds)

  await expect.poll(() => countFiles(relay.pid), { timeout: 15_000 }).toBeLessThanOrEqual(baseline)
  await expectService(relay.url)
})

function encodeFrame(first: number, payload: string | Buffer): Buffer {
  const bytes = Buffer.from(payload)
  const mask = randomBytes(4)
  const length = bytes.length < 126 ? [0x80 | bytes.length] : [0x80 | 126, bytes.length >> 8, bytes.length & 0xff]
  const masked = bytes.map((byte, index) => byte ^ (mask[index % 4] ?? 0))
  return Buffer.concat([Buffer.from([first, ...length]), mask, masked])
}

function encodeCloseCode(value: number): Buffer {
  return Buffer.of(value >> 8, value & 0xff)
}

/** Opens a TCP connection, sends bytes, and returns everything received before it was closed. */
async function sendRaw(url: string, bytes: Buffer): Promise<Buffer> {
  const { hostname, port, pathname, search } = new URL(relayAddress(url, { key: createClientKey() }))
  const socket = connect(Number(port), hostname)
  const key = randomBytes(16).toString('base64')
  socket.write(
    [
      `GET ${pathname}${search} HTTP/1.1`,
      `host: ${hostname}:${port}`,
      'connection: upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      `sec-websocket-key: ${key}`,
      '\r\n',
    ].join('\r\n'),
  )
  let all = Buffer.alloc(0)
  let isUpgraded = false
  socket.on('data', (chunk) => {
    all = Buffer.concat([all, chunk])
    if (isUpgraded || !all.includes('\r\n\r\n')) return
    isUpgraded = true
    socket.write(bytes)
  })
  socket.on('error', () => undefined)
  socket.setTimeout(10_000, () => socket.destroy())
  await new Promise((resolve) => socket.once('close', resolve))
  expect(all.toString('latin1')).toMatch(/^HTTP\/1\.1 101 /)
  return all.subarray(all.indexOf('\r\n\r\n') + 4)
}

/** The code of the close frame with which a server ended. */
function closeCodeOf(bytes: Buffer): number | undefined {
  const start = bytes.indexOf(close)
  return start < 0 ? undefined : bytes.readUInt16BE(start + 2)
}

/** Returns how many milliseconds the relay keeps a connection open that sends only these bytes. */
async function measureLifetime(socket: Socket, begin: string, drip: string): Promise<number> {
  const since = performance.now()
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', () => undefined).resume()
  if (begin !== '') socket.write(begin)
  for (const character of drip) {
    if (await Promise.race([ended.then(() => true), sleep(1_000, false)])) break
    socket.write(character)
  }
  await ended
  return Math.round(performance.now() - since)
}

/** Counts the open files and sockets of a process (Linux). */
async function countFiles(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length
}

async function expectService(url: string): Promise<void> {
  const client = await connectRelayClient(url)
  const params = { topic: 'a'.repeat(64), message: randomBytes(8).toString('hex'), ttl: 300, tag: 0, prompt: false }
  expect((await client.request('irn_publish', params)).result).toBe(true)
  await client.close()
}
