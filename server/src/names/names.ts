import type { FastifyInstance, FastifyReply } from 'fastify'
import { privateKeyToAccount } from 'viem/accounts'
import type { NameSource } from '../api/identity/nameSource.ts'
import type { Bus } from '../kit/bus.ts'
import type { Chain } from '../kit/chains.ts'
import { clientAddress } from '../kit/clientAddress.ts'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../kit/database.ts'
import type { Endpoint } from '../kit/endpoint.ts'
import { migrate } from '../kit/migrations.ts'
import type { Pools } from '../kit/pools.ts'
import { Problem } from '../kit/problem.ts'
import { createTokenBuckets, type Rate } from '../kit/tokenBucket.ts'
import type { NamesConfig } from './config.ts'
import { createGateway } from './gateway.ts'
import { nameMigrations } from './migrations.ts'
import { createRegistry, type Registry } from './registry.ts'
import { nameEndpoints } from './route.ts'
import { createSignatures } from './signatures.ts'
import { createNameStore } from './store.ts'

/** Names of this server's own. */
export type Names = {
  registry: Registry
  endpoints: readonly Endpoint[]
  /** What an address without a name elsewhere is called. */
  source: NameSource
  /** Tells whose name changed, in any process. */
  onChange(listener: (address: string) => void): void
  /** Mounts what ENS clients ask (ERC-3668); they know nothing of projects. */
  serveGateway(app: FastifyInstance): void
}

export type NamesParts = {
  config: NamesConfig
  database: Database
  bus: Bus
  chains: readonly Chain[]
  pools: Pools
  clock: Clock
  limits: { names: { perHour: number }; reads: Rate }
  trustedProxies: number
}

const channel = 'names'

/** Opens the names of a server; one without a zone gives none. */
export async function openNames(parts: NamesParts): Promise<Names> {
  const { config, database, bus, chains, pools, clock, limits } = parts
  await migrate(database.kysely, nameMigrations, 'names')
  const registry = createRegistry({
    zones: config.zones,
    store: createNameStore(database),
    signatures: createSignatures(chains, pools),
    clock,
    mostPerHour: limits.names.perHour,
    changed: (address) => bus.publish(channel, { address }),
  })
  return {
    registry,
    endpoints: nameEndpoints(registry, clock),
    source: {
      async identity(address) {
        const [first] = await registry.ofOwner(address)
        return first === undefined ? undefined : { name: first.name, avatar: null }
      },
    },
    onChange: (listener) => void bus.subscribe(channel, ({ address }) => listener(String(address))),
    serveGateway: (app) => serveGateway(app, registry, parts),
  }
}

const gatewayPath = '/v1/names/gateway'

function serveGateway(
  app: FastifyInstance,
  registry: Registry,
  { config: { signerKey }, clock, limits, trustedProxies }: NamesParts,
): void {
  if (signerKey === undefined) return
  const gateway = createGateway({ registry, clock, signer: privateKeyToAccount(signerKey) })
  const buckets = createTokenBuckets(limits.reads, clock)
  // Any page may look a name up, not only those of known projects. A page that is known was answered before.
  app.options(gatewayPath, async (_request, reply) =>
    openToAll(reply).header('access-control-allow-headers', 'content-type').code(204).send(),
  )
  app.post(gatewayPath, async (request, reply) => {
    openToAll(reply)
    const taken = buckets.of(clientAddress(request.raw, trustedProxies)).take()
    if (!taken.ok) throw new Problem(429, 'rate_limited', 'Too many requests.', { retryAfter: taken.retryAfter })
    const { data } = Object(request.body) as { data?: unknown }
    if (typeof data !== 'string') throw new Problem(400, 'data', 'The body lacks "data".')
    return { data: await gateway.answer(data) }
  })
}

function openToAll(reply: FastifyReply): FastifyReply {
  return reply.header('access-control-allow-origin', '*')
}
