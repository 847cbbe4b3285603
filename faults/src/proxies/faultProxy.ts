import { EventEmitter, once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { addAbortSignal, Transform, type TransformCallback } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom, type Random } from '../random.ts'

/** The behaviour of a line. Changes also affect open connections. */
export type LineFaults = {
  /**
   * `silent` is a partitioned network: nothing passes, neither side notices, and what was sent arrives after the heal.
   * `down` is a machine that is off: connections break, and new ones are refused.
   */
  line: 'open' | 'silent' | 'down'
  /** The delay in each direction, in milliseconds. */
  delay: number
  /** In each direction of each connection. */
  bytesPerSecond: number
  /** The probability, from 0 to 1, that a connection breaks with each chunk. */
  cutChance: number
}

/** A TCP server on loopback that forwards bytes with the configured faults. */
export type FaultProxy = {
  readonly port: number
  /** Number of open connections. */
  readonly connections: number
  /** Changes the behaviour of the line. */
  set(change: Partial<LineFaults>): void
  /** Removes all faults. */
  heal(): void
  /** Breaks all connections. New ones work. */
  cut(): void
  /** Breaks a connection once this many more bytes have passed in either direction: the one that transfers the last byte. */
  cutAfter(bytes: number): Promise<void>
  /** Ends one side of each connection without notifying the other, as a power failure does. */
  forget(side: 'client' | 'target'): void
  close(): Promise<void>
}

export type FaultProxyOptions = {
  /** The target of the connections. */
  target: { host: string; port: number }
  /** Selects the chunks that are cut. The same seed selects the same ones. */
  seed?: number
  /** The initial behaviour of the line. */
  faults?: Partial<LineFaults>
}

type Link = { client: Socket; target: Socket; end: AbortController; isForgotten: boolean }
/** The connections of a proxy, and the faults that apply to all of them. */
type Line = {
  readonly target: FaultProxyOptions['target']
  readonly random: Random
  readonly links: Set<Link>
  readonly changes: EventEmitter
  faults: LineFaults
  /** The bytes until the next cut. */
  ambush: { bytes: number; done(): void } | undefined
}
type Piece = { bytes: Buffer; dueAt: number }

const good: LineFaults = { line: 'open', delay: 0, bytesPerSecond: Infinity, cutChance: 0 }
/** The largest number of chunks in flight, each up to 64 KiB. */
const maxPending = 64
/** The interval at which a line with limited throughput forwards bytes. */
const stepMilliseconds = 20

/**
 * Starts a proxy on a free port of 127.0.0.1.
 *
 * @example
 * const proxy = await startFaultProxy({ target: { host: '127.0.0.1', port: 6379 } })
 * proxy.set({ line: 'silent' })
 * proxy.heal()
 * await proxy.close()
 */
export async function startFaultProxy({ target, seed = 1, faults: first }: FaultProxyOptions): Promise<FaultProxy> {
  const line: Line = {
    target,
    random: createRandom(seed),
    links: new Set(),
    changes: new EventEmitter().setMaxListeners(0),
    faults: { ...good, ...first },
    ambush: undefined,
  }
  const { links } = line

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    client.on('error', () => undefined)
    if (line.faults.line === 'down') client.resetAndDestroy()
    else void carry(line, client)
  })

  function set(change: Partial<LineFaults>): void {
    line.faults = { ...line.faults, ...change }
    if (line.faults.line === 'down') links.forEach(breakLink)
    line.changes.emit('change')
  }

  return {
    port: await listen(server),
    get connections() {
      return links.size
    },
    set,
    heal: () => set(good),
    cut: () => links.forEach(breakLink),
    cutAfter: (bytes) => new Promise((resolve) => (line.ambush = { bytes, done: resolve })),
    forget: (side) => links.forEach((link) => forgetSide(link, side)),
    async close() {
      links.forEach(breakLink)
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Connects a client to the target until either side ends. */
async function carry(line: Line, client: Socket): Promise<void> {
  const target = connect({ ...line.target, allowHalfOpen: true, noDelay: true })
  const link: Link = { client, target, end: new AbortController(), isForgotten: false }
  line.links.add(link)
  for (const side of [client, target]) {
    // The connection ends after an error, and the end is passed on.
    side.on('error', () => undefined)
    side.on('close', (hadError) => hadError && breakLink(link))
  }
  // The end of the link may abort waits. That is not an error.
  await Promise.allSettled([
    forward(line, { from: client, to: target, link }),
    forward(line, { from: target, to: client, link }),
  ])
  line.links.delete(link)
}

async function forward(line: Line, { from, to, link }: { from: Socket; to: Socket; link: Link }): Promise<void> {
  const { signal } = link.end
  const pieces = from.pipe(
    addAbortSignal(
      signal,
      delayChunks(() => line.faults.delay),
    ),
  )
  for await (const bytes of passOn(line, pieces, link)) {
    if (!to.write(bytes)) await once(to, 'drain', { signal })
  }
  to.end()
}

async function* passOn(line: Line, pieces: AsyncIterable<Piece>, link: Link): AsyncIterable<Buffer> {
  const { signal } = link.end
  for await (const { bytes, dueAt } of pieces) {
    await sleepUntil(dueAt, signal)
    await waitUntilLineIsOpen(line, link)
    if (line.random.next() < line.faults.cutChance) return breakLink(link)
    for await (const step of limitThroughput(line, bytes, signal)) {
      yield* passOrCut(line, step, link)
    }
  }
  // The end of the data must not overtake the data.
  await waitUntilLineIsOpen(line, link)
}

/** Forwards bytes at the throughput of the line. */
async function* limitThroughput(line: Line, bytes: Buffer, signal: AbortSignal): AsyncIterable<Buffer> {
  for (let from = 0; from < bytes.length;) {
    const { bytesPerSecond } = line.faults
    const step = Math.min(bytes.length - from, Math.max(1, Math.floor((bytesPerSecond * stepMilliseconds) / 1000)))
    yield bytes.subarray(from, from + step)
    from += step
    if (bytesPerSecond !== Infinity) await sleep((step / bytesPerSecond) * 1000, undefined, { signal })
  }
}

function* passOrCut(line: Line, bytes: Buffer, link: Link): Iterable<Buffer> {
  const { ambush } = line
  if (ambush === undefined || bytes.length < ambush.bytes) {
    if (ambush !== undefined) ambush.bytes -= bytes.length
    yield bytes
    return
  }
  line.ambush = undefined
  yield bytes.subarray(0, ambush.bytes)
  breakLink(link)
  ambush.done()
}

async function waitUntilLineIsOpen(line: Line, link: Link): Promise<void> {
  while (link.isForgotten || line.faults.line === 'silent') {
    await once(line.changes, 'change', { signal: link.end.signal })
  }
}

/** Schedules each chunk and accepts the next ones in the meantime, because a delay does not limit throughput. */
function delayChunks(delay: () => number): Transform {
  return new Transform({
    readableObjectMode: true,
    readableHighWaterMark: maxPending,
    transform(bytes: Buffer, _encoding, done: TransformCallback) {
      done(null, { bytes, dueAt: performance.now() + delay() } satisfies Piece)
    },
  })
}

async function sleepUntil(time: number, signal: AbortSignal): Promise<void> {
  const left = time - performance.now()
  if (left > 0) await sleep(left, undefined, { signal })
}

function forgetSide(link: Link, side: 'client' | 'target'): void {
  link.isForgotten = true
  link[side].resetAndDestroy()
  link[side === 'client' ? 'target' : 'client'].once('end', () => breakLink(link))
}

function breakLink({ client, target, end }: Link): void {
  client.resetAndDestroy()
  target.resetAndDestroy()
  end.abort()
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('A TCP server has a port.')
  return address.port
}
