import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { startFaultProxy, type FaultProxy, type FaultProxyOptions } from './faultProxy.ts'

const open: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})

/** An echo server that closes a connection when its client does. */
async function startEcho(): Promise<{ port: number; sockets: readonly Socket[] }> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return { port: address.port, sockets }
}

async function startBehindProxy(
  options: Omit<FaultProxyOptions, 'target'> = {},
): Promise<{ proxy: FaultProxy; sockets: readonly Socket[] }> {
  const { port, sockets } = await startEcho()
  const proxy = await startFaultProxy({ target: { host: '127.0.0.1', port }, ...options })
  open.push(() => proxy.close())
  return { proxy, sockets }
}

type Client = { socket: Socket; received(): string; receives(bytes: number): Promise<void>; ended: Promise<string> }

async function connectTo(proxy: FaultProxy): Promise<Client> {
  const socket = connect(proxy.port, '127.0.0.1')
  const chunks: Buffer[] = []
  let reason = 'closed'
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', ({ message }) => (reason = message.includes('ECONNRESET') ? 'reset' : message))
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(reason)))
  open.push(async () => void socket.destroy())
  await Promise.race([once(socket, 'connect').catch(() => undefined), ended])
  const length = (): number => chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  return {
    socket,
    received: () => Buffer.concat(chunks).toString(),
    async receives(bytes) {
      while (length() < bytes) await once(socket, 'data')
    },
    ended,
  }
}

/** Sends bytes, waits until they come back, and returns the milliseconds. */
async function roundTrip(client: Client, text: string): Promise<number> {
  const since = performance.now()
  const before = client.received().length
  client.socket.write(text)
  await client.receives(before + text.length)
  expect(client.received().slice(before)).toBe(text)
  return performance.now() - since
}

test('fault proxy forwards bytes and connection ends in both directions', async () => {
  const { proxy } = await startBehindProxy()
  const client = await connectTo(proxy)
  await roundTrip(client, 'x'.repeat(1_000_000))
  client.socket.end('last words')
  expect(await client.ended).toBe('closed')
  expect(client.received().endsWith('last words')).toBe(true)
  await expect.poll(() => proxy.connections).toBe(0)
})

test('fault proxy resets the client connection when the target is not listening', async () => {
  const { port } = await startEcho()
  await open.pop()?.()
  const proxy = await startFaultProxy({ target: { host: '127.0.0.1', port } })
  open.push(() => proxy.close())
  expect(await (await connectTo(proxy)).ended).toBe('reset')
})

test('fault proxy delays each direction without blocking later chunks', async () => {
  const { proxy } = await startBehindProxy({ faults: { delay: 60 } })
  const client = await connectTo(proxy)
  expect(await roundTrip(client, 'one')).toBeGreaterThan(115)
  const since = performance.now()
  for (let count = 0; count < 10; count += 1) {
    client.socket.write('piece')
    await new Promise((resolve) => setImmediate(resolve))
  }
  await client.receives('one'.length + 50)
  expect(performance.now() - since).toBeLessThan(600)
})

test('fault proxy holds data while the line is silent and delivers all of it after heal', async () => {
  const { proxy, sockets } = await startBehindProxy()
  const before = await connectTo(proxy)
  await roundTrip(before, 'first')
  proxy.set({ line: 'silent' })
  const during = await connectTo(proxy)
  before.socket.write('held')
  during.socket.write('held, too')
  sockets[0]?.write('answer')
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect([before.received(), during.received()]).toEqual(['first', ''])
  proxy.heal()
  await before.receives('firstanswerheld'.length)
  await during.receives('held, too'.length)
  expect(during.received()).toBe('held, too')
})

test('fault proxy resets open and new connections while the line is down', async () => {
  const { proxy } = await startBehindProxy()
  const client = await connectTo(proxy)
  await roundTrip(client, 'hello')
  proxy.set({ line: 'down' })
  expect(await client.ended).toBe('reset')
  expect(await (await connectTo(proxy)).ended).toBe('reset')
  proxy.heal()
  await roundTrip(await connectTo(proxy), 'hello again')
})

test('fault proxy cut resets both sides once', async () => {
  const { proxy, sockets } = await startBehindProxy()
  const client = await connectTo(proxy)
  await roundTrip(client, 'hello')
  proxy.cut()
  expect(await client.ended).toBe('reset')
  await expect.poll(() => sockets[0]?.destroyed).toBe(true)
  await roundTrip(await connectTo(proxy), 'hello again')
})

test('fault proxy cuts the connection after a set number of bytes, within a chunk', async () => {
  const { proxy } = await startBehindProxy()
  const client = await connectTo(proxy)
  const bystander = await connectTo(proxy)
  await roundTrip(bystander, 'hello')
  const cut = proxy.cutAfter(10)
  client.socket.write('0123456789 and more')
  await cut
  expect(await client.ended).toBe('reset')
  await roundTrip(bystander, 'still here')
})

test('fault proxy cuts at the same chunks when the seed is the same', async () => {
  const survivals = async (seed: number): Promise<number> => {
    const { proxy } = await startBehindProxy({ seed, faults: { cutChance: 0.05 } })
    const client = await connectTo(proxy)
    for (let count = 0; ; count += 1) {
      const returned = roundTrip(client, 'x').then(
        () => true,
        () => false,
      )
      if (!(await Promise.race([returned, client.ended.then(() => false)]))) return count
    }
  }
  const first = await survivals(2)
  expect(first).toBeGreaterThan(0)
  expect(await survivals(2)).toBe(first)
})

test.each(['client', 'target'] as const)('fault proxy forget(%s) leaves the other side connected', async (side) => {
  const { proxy, sockets } = await startBehindProxy()
  const client = await connectTo(proxy)
  await roundTrip(client, 'hello')
  proxy.forget(side)
  if (side === 'client') {
    expect(await client.ended).toBe('reset')
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(sockets[0]?.destroyed).toBe(false)
  } else {
    await expect.poll(() => sockets[0]?.destroyed).toBe(true)
    client.socket.write('hello?')
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(client.socket.destroyed).toBe(false)
    expect(client.received()).toBe('hello')
  }
})

test('fault proxy limits throughput to bytesPerSecond', async () => {
  const { proxy } = await startBehindProxy({ faults: { bytesPerSecond: 20_000 } })
  const client = await connectTo(proxy)
  expect(await roundTrip(client, 'x'.repeat(4_000))).toBeGreaterThan(150)
})
