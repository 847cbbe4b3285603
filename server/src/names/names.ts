import type { FastifyInstance, FastifyReply } from 'fastify'
import { privateKeyToAccount } from 'viem/accounts'
import type { NameSource } from '../api/identity/nameSource.ts'
import type { Bus } from '../kit/bus/bus.ts'
import type { Chain } from '../kit/chain/chains.ts'
import { clientAddress } from '../kit/http/clientAddress.ts'
import type { Clock } from '../kit/runtime/clock.ts'
import type { Database } from '../kit/database/database.ts'
import type { Endpoint } from '../kit/http/defineEndpoint.ts'
import { migrate } from '../kit/database/migrations.ts'
import type { EndpointPools } from '../kit/chain/endpointPools.ts'
import { Problem } from '../kit/http/problem.ts'
import { assertWithinLimit } from '../kit/limits/assertWithinLimit.ts'
import type { RateLimiters } from '../kit/limits/rateLimiters.ts'
import type { Rate } from '../kit/limits/tokenBucket.ts'
import type { NamesConfig } from './config.ts'
import { createGateway } from './gateway.ts'
import { nameMigrations } from '../schema/nameMigrations.ts'
import { createNameRegistry, type NameRegistry } from './nameRegistry.ts'
import { createNameEndpoints } from './nameEndpoints.ts'
import { getNamedChain } from './getNamedChain.ts'
import { createSignatureVerifier } from './signatureVerifier.ts'
import { createNameStore } from './nameStore.ts'

/** The names that this server registers. */
export type Names = {
  registry: NameRegistry
  endpoints: readonly Endpoint[]
  /** The name source of registered names. */
  source: NameSource
  /** Subscribes to addresses whose names changed in any process. */
  onChange(listener: (address: string) => void): void
  /** Mounts the gateway for ENS clients (ERC-3668), which send no project id. */
  serveGateway(app: FastifyInstance): void
}

export type NamesDependencies = {
  config: NamesConfig
  database: Database
  bus: Bus
  chains: readonly Chain[]
  pools: EndpointPools
  clock: Clock
  rateLimiters: RateLimiters
  limits: { names: { perHour: number }; reads: Rate }
  trustedProxies: number
}

const channel = 'names'

/** Opens the names. Without a zone none can be registered. */
export async function openNames(parts: NamesDependencies): Promise<Names> {
  const { config, database, bus, chains, pools, clock, limits } = parts
  await migrate(database.kysely, nameMigrations, 'names')
  const registry = createNameRegistry({
    zones: config.zones,
    store: createNameStore(database),
    signatures: createSignatureVerifier(chains, pools),
    clock,
    mostPerHour: limits.names.perHour,
    changed: (address) => bus.publish(channel, { address }),
  })
  return {
    registry,
    endpoints: createNameEndpoints(registry, clock),
    source: {
      async listIdentities(address) {
        const names = await registry.ofOwner(address)
        return names.map((record) => ({ name: record.name, avatar: null, chainId: getNamedChain(record) }))
      },
    },
    onChange: (listener) => void bus.subscribe(channel, ({ address }) => listener(String(address))),
    serveGateway: (app) => serveGateway(app, registry, parts),
  }
}

const gatewayPath = '/v1/names/gateway'

function serveGateway(
  app: FastifyInstance,
  registry: NameRegistry,
  { config: { signerKey }, clock, rateLimiters, limits, trustedProxies }: NamesDependencies,
): void {
  if (signerKey === undefined) return
  const gateway = createGateway({ registry, clock, signer: privateKeyToAccount(signerKey) })
  const limiter = rateLimiters.create('names/gateway', limits.reads)
  // Any origin may look up names. The CORS plugin has already handled known origins.
  app.options(gatewayPath, async (_request, reply) =>
    allowAnyOrigin(reply).header('access-control-allow-headers', 'content-type').code(204).send(),
  )
  app.post(gatewayPath, async (request, reply) => {
    allowAnyOrigin(reply)
    await assertWithinLimit(limiter, clientAddress(request.raw, trustedProxies))
    const { data } = Object(request.body) as { data?: unknown }
    if (typeof data !== 'string') throw new Problem(400, 'data', 'The body has no "data".')
    return { data: await gateway.respond(data) }
  })
}

function allowAnyOrigin(reply: FastifyReply): FastifyReply {
  return reply.header('access-control-allow-origin', '*')
}
