import type { AddressInfo } from 'node:net'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { mountApi, type Api } from './api/mountApi.ts'
import type { ServerConfig } from './config.ts'
import { createInProcessBus, type Bus } from './kit/bus.ts'
import { systemClock, type Clock } from './kit/clock.ts'
import { openDatabase, type Database } from './kit/database.ts'
import { createHttp } from './kit/http.ts'
import { createProjects } from './kit/projects.ts'
import { connectRedisBus } from './kit/redisBus.ts'
import { createUpgrades } from './kit/upgrades.ts'
import { mountLogin, type Login } from './login/mountLogin.ts'
import { mountRelayService, type RelayService } from './relay/service.ts'

/** A server that listens. */
export type RunningServer = {
  url: string
  /** Where the relay takes websockets. */
  relayUrl: string
  /** Where the secure site of the embedded wallet is, if it runs here. */
  frameUrl: string | undefined
  /** Lets clients go, finishes what is under way, and closes everything in reverse order. */
  close(): Promise<void>
}

/**
 * Starts the server: database, bus, the configured services, and the port.
 *
 * @throws Error with a sentence when the database cannot be used or the port is taken
 * @example const server = await startServer(readConfig(process.env))
 */
export async function startServer(
  config: ServerConfig,
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<RunningServer> {
  const projects = createProjects(config.projects, ownPages(config))
  const app = await createHttp({ logLevel: config.logLevel, projects })
  const database = await openDatabase(config, app.log)
  const bus = await openBus(config, app.log).catch(async (error: unknown) => {
    await database.close()
    throw error
  })
  const given = { database, bus, clock, projects, upgrades: createUpgrades(app.server) }
  let relay: RelayService | undefined
  let api: Api | undefined
  let login: Login | undefined
  const close = async (): Promise<void> => {
    await relay?.close()
    await app.close()
    await api?.close()
    await login?.close()
    await bus.close()
    await database.close()
  }
  try {
    if (config.services.includes('relay')) relay = await mountRelayService(app, config, given)
    if (config.services.includes('api')) api = await mountApi(app, config, given)
    login = await mountLogin(app, config, given)
    mountHealth(app, config, database, { relay, api })
    const address = await listen(app, config)
    relay?.open()
    api?.begin(address.url)
    return { ...address, ...(await login.open(address.url)), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The secure site asks on behalf of the pages that it is embedded in, whichever they are. */
function ownPages({ login: { frame } }: ServerConfig): readonly string[] {
  return frame.url === undefined ? [] : [frame.url]
}

function openBus({ redisUrl }: ServerConfig, log: FastifyBaseLogger): Promise<Bus> {
  return redisUrl === undefined ? Promise.resolve(createInProcessBus()) : connectRedisBus({ url: redisUrl, log })
}

function mountHealth(
  app: FastifyInstance,
  { services }: ServerConfig,
  database: Database,
  { relay, api }: { relay?: RelayService; api?: Api },
): void {
  app.get('/health', async (_request, reply) => {
    const reachable = await database.isReachable()
    const [status, word] = reachable ? ([200, 'reachable'] as const) : ([503, 'unreachable'] as const)
    const body = {
      status: reachable ? 'ok' : 'failing',
      database: word,
      services,
      upstream: relay?.upstream(),
      index: api?.progress(),
    }
    return reply.code(status).send(body)
  })
}

async function listen(app: FastifyInstance, { host, port }: ServerConfig): Promise<{ url: string; relayUrl: string }> {
  await app.listen({ host, port }).catch((cause: unknown) => {
    const taken = cause instanceof Error && Reflect.get(cause, 'code') === 'EADDRINUSE'
    throw taken ? new Error(`Port ${port} is taken. Free it, or set PORT to another one.`, { cause }) : cause
  })
  // A server that listens on a port has an address of this form.
  const { port: actual } = app.server.address() as AddressInfo
  const name = host.includes(':') ? `[${host}]` : host
  return { url: `http://${name}:${actual}`, relayUrl: `ws://${name}:${actual}/relay` }
}
