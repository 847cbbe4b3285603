import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../kit/clock.ts'
import { RelayError } from '../errors.ts'
import type { RelayRequest } from '../frames.ts'
import type { Upstream } from './config.ts'
import { ConnectionLost, openConnection, type Connection, type Ending } from './connection.ts'
import type { Identity } from './identity.ts'
import { pause } from './pause.ts'

/** How we stand with the other relay: `refused` needs the operator. */
export type LineStatus = 'connected' | 'reconnecting' | 'refused'

/** The line to the other relay: one connection after another. */
export type Line = {
  /** Connects, and goes on to until it is closed. */
  open(): void
  status(): LineStatus
  /**
   * Asks the other relay; waits and asks again when that is told to be too much.
   *
   * @throws RelayError when it refuses
   * @throws ConnectionLost when there is no connection, or none any longer
   */
  request(method: string, params: object): Promise<unknown>
  close(): Promise<void>
}

export type LineParts = {
  upstream: Upstream
  identity: Identity
  clock: Clock
  log: FastifyBaseLogger
  /** The topic that each connection listens on first. */
  greeting: string
  /** A new connection is ready for requests. */
  connected(): void
  received(request: RelayRequest): Promise<boolean>
  /** How it waits. */
  wait?: typeof pause
}

/** Waits between connections in milliseconds. A connection that held for `steady` starts the row anew. */
const waits = { first: 250, longest: 30_000, refused: 60_000, steady: 5_000 } as const
const busyWaits = { first: 250, longest: 30_000 } as const
const unauthorized = 3000
const tooManyRequests = 3001

/** Makes the line; it connects when it is opened. */
export function createLine(parts: LineParts): Line {
  const { upstream, identity, clock, log, wait = pause } = parts
  const closing = new AbortController()
  let status: LineStatus = 'reconnecting'
  let connection: Connection | undefined
  let lastWords = ''
  /** Settles when the other relay may be asked again. */
  let calm = Promise.resolve()
  let working = Promise.resolve()

  async function work(): Promise<void> {
    for (let failures = 0; !closing.signal.aborted; failures += 1) {
      const since = clock.now()
      const ending = await hold()
      if (closing.signal.aborted) return
      status = ending.refused ? 'refused' : 'reconnecting'
      tell(ending)
      if (clock.now() - since > waits.steady) failures = 0
      await wait(ending.refused ? waits.refused : jittered(failures), closing.signal)
    }
  }

  async function hold(): Promise<Ending> {
    const url = addressOf(upstream, identity, clock.now())
    const current = openConnection({ url, origin: upstream.origin, received: parts.received })
    connection = current
    const greeted = greet(current)
    const ending = await current.ended
    connection = undefined
    return (await greeted) ?? ending
  }

  /** The first request tells whether we are welcome: some relays take every connection and refuse it then. */
  async function greet(current: Connection): Promise<Ending | undefined> {
    try {
      await current.request('irn_subscribe', { topic: parts.greeting })
      welcomed()
      return undefined
    } catch (error) {
      current.close()
      if (!(error instanceof RelayError)) return undefined
      return { refused: error.code === unauthorized, reason: error.message }
    }
  }

  function welcomed(): void {
    status = 'connected'
    lastWords = ''
    log.info('the upstream relay is connected')
    parts.connected()
  }

  /** Says a thing once, however often it happens in a row. */
  function tell({ refused, reason }: Ending): void {
    if (reason === lastWords) return
    lastWords = reason
    if (refused) {
      log.error(
        { reason },
        'the upstream relay refuses us: check RELAY_UPSTREAM_URL, RELAY_UPSTREAM_PROJECT_ID, RELAY_UPSTREAM_ORIGIN and this machine’s clock',
      )
    } else log.warn({ reason }, 'the upstream relay is away; messages wait here until it is back')
  }

  async function ask(method: string, params: object): Promise<unknown> {
    if (connection === undefined) throw new ConnectionLost()
    return connection.request(method, params)
  }

  return {
    open() {
      working = work()
    },
    status: () => status,
    async request(method, params) {
      for (let refusals = 0; ; refusals += 1) {
        await calm
        try {
          return await ask(method, params)
        } catch (error) {
          if (!(error instanceof RelayError && error.code === tooManyRequests)) throw error
          calm = wait(Math.min(busyWaits.first * 2 ** refusals, busyWaits.longest), closing.signal)
        }
      }
    },
    async close() {
      closing.abort()
      connection?.close()
      await working
    },
  }
}

function addressOf({ url, projectId }: Upstream, { token }: Identity, now: number): string {
  const address = new URL(url)
  const query = { auth: token(url, now), projectId, ua: 'wc-2/latchkey-bridge-0.1.0/node', useOnCloseEvent: 'true' }
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
  return address.href
}

/** Somewhere between half of the wait and the whole, so that many do not come back at once. */
function jittered(failures: number): number {
  return Math.min(waits.first * 2 ** failures, waits.longest) * (0.5 + Math.random() / 2)
}
