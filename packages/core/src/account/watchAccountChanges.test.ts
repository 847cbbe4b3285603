import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { fakeWorld } from '../testing/fakes.ts'
import { watchAccountChanges } from './watchAccountChanges.ts'

const account = 'eip155:1:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/** A server whose streams a test controls. */
let backend: { url: string; requests: URL[]; streams: ServerResponse[]; status: number; close(): void }

beforeEach(async () => {
  const server = createServer((request, response) => {
    backend.requests.push(new URL(request.url ?? '', backend.url))
    if (backend.status !== 200) return void response.writeHead(backend.status).end('{}')
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' }).write('retry: 3000\n\n')
    backend.streams.push(response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo
  const close = (): void => {
    server.close()
    server.closeAllConnections()
  }
  backend = { url: `http://127.0.0.1:${port}`, requests: [], streams: [], status: 200, close }
})
afterEach(() => backend.close())

class FakePage extends EventTarget {
  visibilityState: DocumentVisibilityState = 'visible'
  show(state: DocumentVisibilityState): void {
    this.visibilityState = state
    this.dispatchEvent(new Event('visibilitychange'))
  }
}

function watch(options: { server?: string } = { server: backend.url }, polls = true) {
  const { latchkey, clock } = fakeWorld({ ...options, projectId: '0123456789abcdef0123456789abcdef' })
  const page = new FakePage()
  let changes = 0
  const stop = watchAccountChanges(latchkey, {
    account,
    chainId: 'eip155:1',
    onChange: () => (changes += 1),
    polls,
    page,
  })
  onTestFinished(stop)
  /** Lets a fake second pass for each look, until the condition is met. */
  const eventually = async (met: () => unknown, expected: unknown): Promise<void> => {
    await expect
      .poll(() => {
        clock.advance(1_000)
        return met()
      })
      .toEqual(expected)
  }
  return { page, stop, clock, changes: () => changes, eventually }
}

const waitForStreams = async (count: number): Promise<void> => {
  await expect.poll(() => backend.streams.length).toBe(count)
}
const push = (text: string): void => void backend.streams.at(-1)?.write(text)
const createHeadEvent = (block: number): string =>
  `id: ${block}\nevent: head\ndata: {"chain":"eip155:1","block":${block}}\n\n`
const change = 'event: change\ndata: {"chain":"eip155:1"}\n\n'

test('a pushed change is reported once, although several arrive in pieces', async () => {
  const { changes, eventually } = watch()
  await waitForStreams(1)
  expect(backend.requests[0]?.pathname).toBe(`/v1/account/${account.slice('eip155:1:'.length)}/events`)
  expect(Object.fromEntries(backend.requests[0]?.searchParams ?? [])).toMatchObject({ chainId: 'eip155:1' })
  push(change.slice(0, 9))
  push(`${change.slice(9)}${change}`)
  await eventually(changes, 1)
})

test('a block without a change is not reported', async () => {
  const { changes, clock } = watch()
  await waitForStreams(1)
  push(createHeadEvent(7))
  push(`:\n\n${createHeadEvent(8)}`)
  await new Promise((resolve) => setTimeout(resolve, 50))
  clock.advance(5_000)
  expect(changes()).toBe(0)
})

test('an ended stream is opened again from the last event', async () => {
  const { eventually } = watch()
  await waitForStreams(1)
  push(createHeadEvent(42))
  await new Promise((resolve) => setTimeout(resolve, 50))
  backend.streams[0]?.end()
  await eventually(() => backend.streams.length, 2)
  expect(backend.requests[1]?.searchParams.get('lastEventId')).toBe('42')
})

test('a hidden page closes its stream and continues when it is shown', async () => {
  const { page, clock } = watch()
  await waitForStreams(1)
  push(createHeadEvent(42))
  await new Promise((resolve) => setTimeout(resolve, 50))
  const closed = new Promise((resolve) => backend.streams[0]?.once('close', resolve))
  page.show('hidden')
  await closed
  clock.advance(600_000)
  expect(backend.requests.length).toBe(1)
  page.show('visible')
  await waitForStreams(2)
  expect(backend.requests[1]?.searchParams.get('lastEventId')).toBe('42')
})

test('a change right before the page is hidden is reported when it is shown', async () => {
  const { page, changes, clock, eventually } = watch()
  await waitForStreams(1)
  push(`${change}${createHeadEvent(9)}`)
  await new Promise((resolve) => setTimeout(resolve, 50))
  page.show('hidden')
  clock.advance(600_000)
  expect(changes()).toBe(0)
  page.show('visible')
  await eventually(changes, 1)
})

test('a stopped watch sends no further requests', async () => {
  const { stop, clock, changes } = watch()
  await waitForStreams(1)
  push(change)
  stop()
  clock.advance(600_000)
  expect([backend.requests.length, changes()]).toEqual([1, 0])
})

test('the client polls every 30 seconds if the server has no stream', { tags: 'faults' }, async () => {
  backend.status = 404
  const { changes, eventually, clock } = watch()
  await eventually(changes, 1)
  const requests = backend.requests.length
  const before = clock.now()
  await eventually(changes, 2)
  expect(clock.now() - before).toBeGreaterThanOrEqual(15_000)
  expect(backend.requests.length).toBe(requests)
})

test('the client polls while the server is unreachable, and returns to the stream', async () => {
  backend.status = 503
  const { changes, eventually } = watch()
  await eventually(() => changes() > 0, true)
  backend.status = 200
  await eventually(() => backend.streams.length, 1)
  expect(backend.requests.length).toBeGreaterThan(3)
})

test('a client without polling waits only for pushed changes', async () => {
  backend.status = 404
  const { changes, clock } = watch({ server: backend.url }, false)
  await expect.poll(() => backend.requests.length).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 50))
  clock.advance(600_000)
  expect([changes(), backend.requests.length]).toEqual([0, 1])
})

test('a silent stream is replaced after a minute', { tags: 'faults' }, async () => {
  const { eventually } = watch()
  await waitForStreams(1)
  await eventually(() => backend.streams.length, 2)
  expect(backend.streams[0]?.destroyed).toBe(true)
})

test('nothing is requested without a server', async () => {
  const { clock, changes } = watch({})
  clock.advance(600_000)
  expect([backend.requests.length, changes()]).toEqual([0, 0])
})
