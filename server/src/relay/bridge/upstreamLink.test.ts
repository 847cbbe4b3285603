import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../../kit/runtime/clock.ts'
import { testProjectId } from '../../testing/relayClient.ts'
import { verifyClientToken } from '../connections/clientToken.ts'
import { ConnectionLostError } from './upstreamConnection.ts'
import { createBridgeIdentity } from './bridgeIdentity.ts'
import { createUpstreamLink, type UpstreamLink, type UpstreamLinkDependencies } from './upstreamLink.ts'
import { startTestUpstream, type Behaviour, type TestUpstream } from './testUpstream.ts'

/** Timeout for a loaded machine. Normally, these operations take milliseconds. */
const soon = { timeout: 60_000 }

const identity = createBridgeIdentity(new Uint8Array(32).fill(3))
const greeting = 'e'.repeat(64)
const closing: Array<() => unknown> = []

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function startUpstream(behave: Behaviour): Promise<TestUpstream> {
  const upstream = await startTestUpstream(behave)
  closing.push(upstream.close)
  return upstream
}

function open(url: string, dependencies: Partial<UpstreamLinkDependencies> = {}): UpstreamLink {
  const line = createUpstreamLink({
    upstream: { url, projectId: testProjectId, origin: undefined, lingerSeconds: 0 },
    identity,
    clock: systemClock,
    log: Fastify({ logger: false }).log,
    probeTopic: greeting,
    connected: () => undefined,
    received: async () => true,
    ...dependencies,
  })
  closing.push(() => line.close())
  line.open()
  return line
}

const respondWithTrue: Behaviour = () => ({ result: true })

test('the link authenticates with a token for the configured address', async () => {
  const { url, upgrades } = await startUpstream(respondWithTrue)
  const upstream = {
    url: `${url}?region=eu`,
    projectId: testProjectId,
    origin: 'https://app.example',
    lingerSeconds: 0,
  }
  const line = open(url, { upstream })
  await expect.poll(() => line.status(), soon).toBe('connected')
  const [upgrade] = upgrades
  const query = new URL(upgrade?.url ?? '', url).searchParams
  expect(query.get('projectId')).toBe(testProjectId)
  expect(query.get('region')).toBe('eu')
  expect(upgrade?.headers.origin).toBe('https://app.example')
  const verdict = await verifyClientToken(query.get('auth') ?? '', { now: Date.now(), audiences: [upstream.url] })
  expect(verdict).toEqual({ ok: true, clientId: identity.clientId })
})

test.each([1001, 1013, 4010])('the link reconnects after the close code %i', async (code) => {
  const { url, sockets, upgrades } = await startUpstream(respondWithTrue)
  const line = open(url)
  await expect.poll(() => line.status(), soon).toBe('connected')
  sockets[0]?.close(code)
  await expect.poll(() => upgrades.length, soon).toBe(2)
  await expect.poll(() => line.status(), soon).toBe('connected')
})

/** Returns a wait that ends at once a number of times and then never, and the durations it was called with. */
function fakeWait(times: number): { waits: number[]; wait: UpstreamLinkDependencies['wait'] } {
  const waits: number[] = []
  const wait: UpstreamLinkDependencies['wait'] = (milliseconds, signal) => {
    waits.push(milliseconds)
    if (waits.length <= times) return Promise.resolve()
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
  }
  return { waits, wait }
}

test('the link backs off from 0.25 to 30 seconds between failed connections', async () => {
  const { url, upgrades } = await startUpstream((_request, socket) => void socket.close(1013))
  const { waits, wait } = fakeWait(9)
  const line = open(url, { wait })
  await expect.poll(() => waits.length, soon).toBe(10)
  expect(upgrades).toHaveLength(10)
  expect(line.status()).toBe('reconnecting')
  for (const [index, milliseconds] of waits.entries()) {
    const most = Math.min(250 * 2 ** index, 30_000)
    expect(milliseconds).toBeGreaterThanOrEqual(most / 2)
    expect(milliseconds).toBeLessThanOrEqual(most)
  }
})

test.each<[string, Behaviour]>([
  ['by closing', (_request, socket) => void socket.close(3000, 'Unauthorized: invalid key')],
  ['by an error response', () => ({ error: { code: 3000, message: 'Unauthorized: invalid key' } })],
])('the link reconnects slowly when it is rejected %s, and logs one instruction', async (_name, behave) => {
  const { url } = await startUpstream(behave)
  const messages: string[] = []
  const log = Fastify({ logger: { stream: { write: (text: string) => messages.push(text) } } }).log
  const { waits, wait } = fakeWait(2)
  const line = open(url, { log, wait })
  await expect.poll(() => waits, soon).toEqual([60_000, 60_000, 60_000])
  expect(line.status()).toBe('refused')
  expect(messages).toHaveLength(1)
  expect(messages[0]).toContain('Unauthorized: invalid key')
  expect(messages[0]).toContain('RELAY_UPSTREAM_PROJECT_ID')
  expect(messages[0]).not.toContain('auth=')
})

test('the link reports a refusal by HTTP', async () => {
  const http = createServer((_request, response) => response.writeHead(401).end()).listen(0, '127.0.0.1')
  closing.push(() => http.close())
  http.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n'))
  await new Promise((resolve) => http.once('listening', resolve))
  // A server that listens on a port has an address of this form.
  const line = open(`ws://127.0.0.1:${(http.address() as AddressInfo).port}/`)
  await expect.poll(() => line.status(), soon).toBe('refused')
})

test('the link repeats a rate-limited request', async () => {
  let refusals = 2
  const { url, received } = await startUpstream(({ method }) => {
    if (method === 'irn_subscribe' || refusals === 0) return { result: 'done' }
    refusals -= 1
    return { error: { code: 3001, message: 'Too many requests' } }
  })
  const { waits, wait } = fakeWait(2)
  const line = open(url, { wait })
  await expect.poll(() => line.status(), soon).toBe('connected')
  expect(await line.request('irn_publish', {})).toBe('done')
  expect(waits).toEqual([250, 500])
  expect(received.map(({ method }) => method)).toEqual(['irn_subscribe', 'irn_publish', 'irn_publish', 'irn_publish'])
})

test('the link rejects pending requests when the connection ends', async () => {
  const { url } = await startUpstream(({ method }, socket) => {
    if (method === 'irn_subscribe') return { result: 'id' }
    socket.terminate()
    return undefined
  })
  const line = open(url)
  await expect.poll(() => line.status(), soon).toBe('connected')
  await expect(line.request('irn_publish', {})).rejects.toBeInstanceOf(ConnectionLostError)
})

test('the link acknowledges a delivery by its exact id once it is stored, and not before', async () => {
  const confirmations: Array<(isKept: boolean) => void> = []
  const { url, sockets } = await startUpstream(respondWithTrue)
  const line = open(url, { received: () => new Promise((resolve) => confirmations.push(resolve)) })
  await expect.poll(() => line.status(), soon).toBe('connected')
  const responses: string[] = []
  sockets[0]?.on('message', (data) => responses.push(String(data)))
  for (const id of ['1725000000000000001', '1725000000000000002']) {
    sockets[0]?.send(`{"id":${id},"jsonrpc":"2.0","method":"irn_subscription","params":{}}`)
  }
  await expect.poll(() => confirmations.length, soon).toBe(2)
  expect(responses).toEqual([])
  confirmations[0]?.(false)
  confirmations[1]?.(true)
  await expect.poll(() => responses, soon).toEqual(['{"id":1725000000000000002,"jsonrpc":"2.0","result":true}'])
})

test('the link survives malformed frames', async () => {
  const { url, sockets } = await startUpstream(respondWithTrue)
  const line = open(url)
  await expect.poll(() => line.status(), soon).toBe('connected')
  for (const text of ['null', '', '[]', '{"id":1}', '{"id":7,"error":null}', '{"id":{},"result":1}', '{{']) {
    sockets[0]?.send(text)
  }
  expect(await line.request('irn_publish', {})).toBe(true)
})
