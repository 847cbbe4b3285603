import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeWorld, getRejection, type FakeWorld } from '../testing/fakes.ts'
import { fetchJson, serverUrl } from './fetchJson.ts'

const busy = { status: 503, headers: { 'retry-after': '2' } }
const limited = { status: 429, headers: { 'retry-after': '1' } }

/** The client aborts a request after this time. */
const requestMs = 10_000

type Planned = { status: number; headers?: Record<string, string> }

let responses: Planned[]
let requests: RequestInit[]
/** The times that the client waited between requests, in milliseconds. */
let waits: number[]

beforeEach(() => {
  responses = []
  requests = []
  waits = []
  vi.stubGlobal('fetch', async (_url: URL, options: RequestInit) => {
    requests.push(options)
    const { status, ...init } = responses.shift() ?? { status: 200 }
    return Response.json({ status }, { status, ...init })
  })
})
afterEach(() => vi.unstubAllGlobals())

function readFrom({ latchkey }: FakeWorld, { signal, body }: { signal?: AbortSignal; body?: object } = {}) {
  return fetchJson(latchkey, serverUrl(latchkey, '/v1/test'), signal, body)
}

function createServerWorld(): FakeWorld {
  const world = fakeWorld({ server: 'https://server.test', projectId: 'ab'.repeat(16) })
  const { after } = world.clock
  vi.spyOn(world.clock, 'after').mockImplementation((milliseconds, callback) => {
    if (milliseconds !== requestMs) waits.push(milliseconds)
    return after(milliseconds, callback)
  })
  return world
}

/** Waits until the client waits for its next request, and returns the time. */
async function untilWaiting(): Promise<number> {
  await vi.waitFor(() => expect(waits).toHaveLength(1))
  return waits.shift() ?? 0
}

/** Lets the client wait for its next request. */
async function passWait(world: FakeWorld, seconds: number): Promise<void> {
  const [sent, milliseconds] = [requests.length, await untilWaiting()]
  expect(milliseconds).toBeGreaterThanOrEqual(1_000 * seconds)
  expect(milliseconds).toBeLessThanOrEqual(1_500 * seconds + 500)
  world.clock.advance(milliseconds - 1)
  await new Promise((resolve) => setTimeout(resolve))
  expect(requests).toHaveLength(sent)
  world.clock.advance(1)
  await vi.waitFor(() => expect(requests).toHaveLength(sent + 1))
}

test.each([
  ['is busy', busy, 2],
  ['limits the client', limited, 1],
])('a read from a server that %s is repeated after the time that it asks for', async (_what, response, seconds) => {
  const world = createServerWorld()
  responses = [response, response]
  const read = readFrom(world)
  await passWait(world, seconds)
  await passWait(world, seconds)
  expect(await read).toEqual({ status: 200 })
  expect(requests).toHaveLength(3)
})

test('a read is repeated twice at most', async () => {
  const world = createServerWorld()
  responses = [busy, busy, busy, busy]
  const rejection = getRejection(readFrom(world))
  await passWait(world, 2)
  await passWait(world, 2)
  expect(await rejection).toMatchObject({ code: 'http/status', context: { status: 503 }, cause: { status: 503 } })
  expect(requests).toHaveLength(3)
})

test.each<[string, Planned]>([
  ['503 without Retry-After', { status: 503 }],
  ['429 without Retry-After', { status: 429 }],
  ['503 that asks for an hour', { status: 503, headers: { 'retry-after': '3600' } }],
  ['500 with Retry-After', { status: 500, headers: { 'retry-after': '1' } }],
])('a read that fails with status %s is not repeated', async (_what, response) => {
  const world = createServerWorld()
  responses = [response]
  expect(await getRejection(readFrom(world))).toMatchObject({ code: 'http/status' })
  expect([requests.length, world.clock.waiting()]).toEqual([1, 0])
})

test('a request with a body is never repeated', async () => {
  const world = createServerWorld()
  responses = [busy]
  expect(await getRejection(readFrom(world, { body: { name: 'ann' } }))).toMatchObject({ code: 'http/status' })
  expect([requests.length, world.clock.waiting()]).toEqual([1, 0])
})

test('a read that is aborted while it waits rejects with the reason, and sends nothing more', async () => {
  const world = createServerWorld()
  responses = [busy]
  const abort = new AbortController()
  const rejection = getRejection(readFrom(world, { signal: abort.signal }))
  await untilWaiting()
  const reason = new Error('The view was closed.')
  abort.abort(reason)
  expect(await rejection).toBe(reason)
  world.clock.advance(60_000)
  expect([requests.length, world.clock.waiting()]).toEqual([1, 0])
})
