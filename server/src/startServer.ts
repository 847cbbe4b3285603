import type { AddressInfo } from 'node:net'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { createChainBalances } from './api/balances/chainBalances.ts'
import { balances } from './api/balances/route.ts'
import { apiLimits } from './api/config.ts'
import { createGuard, type Guard } from './api/guard.ts'
import { rpc } from './api/rpc/route.ts'
import { supportedChains } from './api/supportedChains/route.ts'
import type { ServerConfig } from './config.ts'
import { createInProcessBus, type Bus } from './kit/bus.ts'
import { systemClock, type Clock } from './kit/clock.ts'
import { openDatabase, type Database } from './kit/database.ts'
import { createHttp } from './kit/http.ts'
import { createProjects, type Projects } from './kit/projects.ts'
import { connectRedisBus } from './kit/redisBus.ts'
import type { Rate } from './kit/tokenBucket.ts'
import { mountRelayService, type RelayService } from './relay/service.ts'
import { createPictures } from './wallets/pictures.ts'
import { walletRoutes } from './wallets/route.ts'
import { readWalletList } from './wallets/walletList.ts'

/** A server that listens. */
export type RunningServer = {
  url: string
  /** Where the relay takes websockets. */
  relayUrl: string
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
  const projects = createProjects(config.projects)
  const app = await createHttp({ logLevel: config.logLevel, projects })
  const database = await openDatabase(config, app.log)
  const bus = await openBus(config, app.log).catch(async (error: unknown) => {
    await database.close()
    throw error
  })
  let relay: RelayService | undefined
  const close = async (): Promise<void> => {
    await relay?.close()
    await app.close()
    await bus.close()
    await database.close()
  }
  try {
    if (config.services.includes('relay')) {
      relay = await mountRelayService(app, config, { database, bus, clock, projects })
    }
    if (config.services.includes('api')) await mountApi(app, config, projects, clock)
    mountHealth(app, config, database, relay)
    const address = await listen(app, config)
    relay?.open()
    return { ...address, close }
  } catch (error) {
    await close()
    throw error
  }
}

function openBus({ redisUrl }: ServerConfig, log: FastifyBaseLogger): Promise<Bus> {
  return redisUrl === undefined ? Promise.resolve(createInProcessBus()) : connectRedisBus({ url: redisUrl, log })
}

async function mountApi(app: FastifyInstance, config: ServerConfig, projects: Projects, clock: Clock): Promise<void> {
  const { chains, trustedProxies, developerWalletUrl } = config
  const limits = apiLimits(config.limits)
  const guard = (rate: Rate): Guard => createGuard({ projects, clock, trustedProxies, rate })
  const wallets = readWalletList({ developerWalletUrl, chains: chains.map(({ caipNetworkId }) => caipNetworkId) })
  await app.register(balances({ chains, balanceSource: createChainBalances(), guard: guard(limits.reads) }))
  await app.register(supportedChains({ chains }))
  await app.register(rpc({ chains, guard: guard(limits.rpc) }))
  await app.register(
    walletRoutes({ wallets, pictures: createPictures({ wallets, chains }), guard: guard(limits.wallets) }),
  )
}

function mountHealth(app: FastifyInstance, { services }: ServerConfig, database: Database, relay?: RelayService): void {
  app.get('/health', async (_request, reply) => {
    const reachable = await database.isReachable()
    const [status, word] = reachable ? ([200, 'reachable'] as const) : ([503, 'unreachable'] as const)
    const body = { status: reachable ? 'ok' : 'failing', database: word, services, upstream: relay?.upstream() }
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
