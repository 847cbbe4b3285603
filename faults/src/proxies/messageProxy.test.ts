import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { startMessageProxy, type MessageFaults, type MessageProxy } from './messageProxy.ts'

const open: Array<() => unknown> = []
let target: string
let requests: IncomingMessage[]
let served: WebSocket[]

beforeEach(async () => {
  requests = []
  served = []
  const http = createServer().listen(0, '127.0.0.1')
  const server = new WebSocketServer({
    server: http,
    verifyClient: ({ req }: { req: IncomingMessage }) => req.url !== '/forbidden',
  })
  server.on('connection', (socket, request) => {
    requests.push(request)
    served.push(socket)
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }))
  })
  await once(http, 'listening')
  const address = http.address()
  target = `ws://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  open.push(() => http.close())
})
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})

async function start(faults: Partial<MessageFaults> = {}, seed?: number): Promise<MessageProxy> {
  const proxy = await startMessageProxy({ target, seed, faults })
  open.push(() => proxy.close())
  return proxy
}

async function connect(url: string, headers: Record<string, string> = {}): Promise<WebSocket & { received: string[] }> {
  const socket = Object.assign(new WebSocket(url, { headers }), { received: new Array<string>() })
  socket.on('message', (data) => socket.received.push(String(data)))
  await once(socket, 'open')
  return socket
}

const numbers = Array.from({ length: 200 }, (_, index) => String(index))

test('message proxy forwards messages, request URL, authorization header and close code', async () => {
  const proxy = await start()
  const socket = await connect(`${proxy.url}/relay?auth=x`, { authorization: 'Bearer y' })
  for (const number of numbers) socket.send(number)
  await expect.poll(() => socket.received).toEqual(numbers)
  expect(requests[0]?.url).toBe('/relay?auth=x')
  expect(requests[0]?.headers.authorization).toBe('Bearer y')
  served[0]?.close(4010, 'going away')
  const [code, reason] = await once(socket, 'close')
  expect([code, String(reason)]).toEqual([4010, 'going away'])
})

test('message proxy passes on the HTTP status of a refused upgrade and closes with 1006 on a broken connection', async () => {
  const proxy = await start()
  await expect(connect(`${proxy.url}/forbidden`)).rejects.toThrow('401')
  const socket = await connect(proxy.url)
  served[0]?.terminate()
  expect((await once(socket, 'close'))[0]).toBe(1006)
})

test('message proxy drops, duplicates and reorders at the set chances, equally for the same seed', async () => {
  const run = async (): Promise<{ received: readonly string[]; harm: MessageProxy['harm'] }> => {
    const proxy = await start({ dropChance: 0.1, duplicateChance: 0.1, reorderChance: 0.1 }, 4)
    const socket = await connect(proxy.url)
    served.at(-1)?.removeAllListeners('message')
    const events: string[] = []
    served.at(-1)?.on('message', (data) => events.push(String(data)))
    for (const number of numbers) socket.send(number)
    await expect.poll(() => events.length).toBe(numbers.length - proxy.harm.dropped + proxy.harm.duplicated)
    return { received: events, harm: proxy.harm }
  }
  const { received, harm } = await run()
  for (const count of Object.values(harm)) expect(count).toBeGreaterThan(5)
  expect(new Set(received).size).toBe(numbers.length - harm.dropped)
  expect(received.toSorted((a, b) => Number(a) - Number(b))).not.toEqual(received)
  expect((await run()).harm).toEqual(harm)
})
