import { Type } from '@sinclair/typebox'
import type { Bus } from '../../kit/bus.ts'
import { createCache } from '../../kit/cache.ts'
import type { Clock } from '../../kit/clock.ts'
import { endpoint, type Endpoint } from '../../kit/endpoint.ts'
import { Problem } from '../../kit/problem.ts'
import { addressParam, commonQuery, isAddressOf } from '../questions.ts'
import type { Identity, NameSource } from './nameSource.ts'

type Told = Identity & { resolvedAt: string }

const nullable = Type.Union([Type.String(), Type.Null()])
const answer = Type.Object({ name: nullable, avatar: nullable, resolvedAt: Type.String() })

/** How long a name is good, in milliseconds: here, and in the caches of clients [R9.1.10]. */
const ttl = 300_000
const limit = 20_000

export type IdentityParts = {
  sources: readonly NameSource[]
  bus: Bus
  clock: Clock
  /** Tells whose name changed. */
  onChange?(listener: (address: string) => void): void
}

/** `GET /v1/identity/:address`, also under its account: the name and the picture of an address. */
export function identity({ sources, bus, clock, onChange }: IdentityParts): readonly Endpoint[] {
  const cache = createCache<Told>({ clock, ttl, limit, shared: { bus, name: 'identity' } })
  onChange?.((address) => cache.forget([address.toLowerCase()]))

  async function resolve(address: string): Promise<Told> {
    for (const source of sources) {
      const found = await source.identity(address)
      if (found !== undefined) return { ...found, resolvedAt: new Date(clock.now()).toISOString() }
    }
    return { name: null, avatar: null, resolvedAt: new Date(clock.now()).toISOString() }
  }

  return (['/v1/identity/:address', '/v1/account/:address/identity'] as const).map((path) =>
    endpoint({
      method: 'GET',
      path,
      group: 'Names',
      summary: 'The name and the picture of an address; null where it has none.',
      params: addressParam,
      query: Type.Object({
        ...commonQuery,
        sender: Type.Optional(Type.String({ maxLength: 128 })),
        useCache: Type.Optional(Type.Boolean()),
      }),
      answer,
      cache: 'public, max-age=300, s-maxage=300',
      example: { params: { address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' } },
      async handle({ params: { address }, log }) {
        if (isAddressOf('solana', address) && !address.startsWith('0x')) {
          return { name: null, avatar: null, resolvedAt: new Date(clock.now()).toISOString() }
        }
        if (!isAddressOf('eip155', address)) throw new Problem(400, 'address', 'This is not an address.')
        try {
          return await cache.get(address.toLowerCase(), () => resolve(address))
        } catch (error) {
          log.warn({ reason: error instanceof Error ? error.message : '' }, 'no names')
          throw new Problem(503, '', 'Names cannot be looked up now.', { cause: error })
        }
      },
    }),
  )
}
