import type { FastifyInstance } from 'fastify'
import type { Api } from '../api/mountApi.ts'
import type { ServerConfig } from '../config.ts'
import { findUnsignedFrameWarning } from '../frame/findUnsignedFrameWarning.ts'
import type { Bus } from '../kit/bus/bus.ts'
import type { Database } from '../kit/database/database.ts'
import type { ForwardedHeaders } from '../kit/http/watchForwardedHeaders.ts'
import type { RateLimiters } from '../kit/limits/rateLimiters.ts'
import type { RelayService } from '../relay/mountRelayService.ts'
import { version } from './version.ts'

/** The parts of the server that its health depends on. */
export type HealthSources = {
  database: Pick<Database, 'isReachable'>
  bus: Pick<Bus, 'isReachable'>
  rateLimiters: Pick<RateLimiters, 'isReachable'>
  relay: RelayService | undefined
  api: Api | undefined
  forwarded: ForwardedHeaders
}

/**
 * Serves the state of the server: `/health` in full, `/live` for a supervisor that restarts, `/ready` for a load balancer that
 * sends traffic, and `/version`.
 */
export function mountHealth(app: FastifyInstance, config: ServerConfig, sources: HealthSources): void {
  const { commitHash = 'unknown', services } = config
  serveHealth(app, config, sources)
  // A restart repairs a process, not the database that it waits for.
  app.get('/live', async (_request, reply) => reply.type('text/plain').send('The process is running.\n'))
  app.get('/ready', async (_request, reply) => {
    const problems = await findProblems(sources)
    const sentence = problems.length === 0 ? 'The server is ready.' : problems.join(' ')
    return reply
      .code(problems.length === 0 ? 200 : 503)
      .type('text/plain')
      .send(`${sentence}\n`)
  })
  app.get('/version', async (_request, reply) => reply.send({ version, commit: commitHash, services }))
}

async function findProblems({ database, bus, rateLimiters, relay }: HealthSources): Promise<readonly string[]> {
  const isReachable = await database.isReachable()
  const states: ReadonlyArray<readonly [boolean, string]> = [
    [isReachable, 'The database does not respond.'],
    [bus.isReachable(), 'Other processes cannot be reached: the connection of the bus is broken.'],
    [rateLimiters.isReachable(), 'The store of the rate limits cannot be reached.'],
    [!isReachable || !isStorageFailing(relay), 'Messages cannot be stored: is the disk of the database full?'],
  ]
  return states.flatMap(([isMet, sentence]) => (isMet ? [] : [sentence]))
}

function isStorageFailing(relay: RelayService | undefined): boolean {
  return relay?.isStorageFailing() ?? false
}

/** True for monitors that read a line of text instead of JSON. */
function wantsText(accept = ''): boolean {
  return accept.includes('text/plain') && !accept.includes('json')
}

function joinWarnings(...warnings: readonly (string | undefined)[]): string | undefined {
  const found = warnings.filter((each) => each !== undefined)
  return found.length === 0 ? undefined : found.join(' ')
}

function serveHealth(
  app: FastifyInstance,
  config: ServerConfig,
  { database, relay, api, forwarded }: HealthSources,
): void {
  const { services, commitHash = 'unknown' } = config
  const startedAt = performance.now()
  app.get('/health', async (request, reply) => {
    const reachable = await database.isReachable()
    const isStoring = !isStorageFailing(relay)
    const isHealthy = reachable && isStoring
    const status = isHealthy ? 200 : 503
    const body = {
      status: isHealthy ? 'ok' : 'failing',
      database: reachable ? 'reachable' : 'unreachable',
      messages: isStoring ? undefined : 'not stored',
      services,
      upstream: relay?.upstream(),
      index: api?.progress(),
      history: api?.historyState(),
      warning: joinWarnings(forwarded.warning(), findUnsignedFrameWarning(config)),
    }
    if (!wantsText(request.headers.accept)) return reply.code(status).send(body)
    const uptime = Math.floor((performance.now() - startedAt) / 1_000)
    const verdict = isHealthy ? 'OK' : 'FAILING'
    const text = `${verdict} v${version}, commit hash: ${commitHash}, features: ${services.join(' ')}, uptime: ${uptime} seconds`
    return reply.code(status).type('text/plain; charset=utf-8').send(text)
  })
}
