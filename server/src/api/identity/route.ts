import { Type } from '@sinclair/typebox'
import type { Clock } from '../../kit/clock.ts'
import { endpoint, type Endpoint } from '../../kit/endpoint.ts'
import { Problem } from '../../kit/problem.ts'
import { addressParam, commonQuery, isAddressOf } from '../questions.ts'
import { isAvatar } from './avatars.ts'
import type { Lookup } from './lookup.ts'

const nullable = Type.Union([Type.String(), Type.Null()])
const answer = Type.Object({ name: nullable, avatar: nullable, resolvedAt: Type.String() })

export type IdentityParts = {
  lookup: Lookup
  clock: Clock
  /** Where browsers reach this server, which shows avatars itself. */
  place: { readonly pictures: string }
}

/** `GET /v1/identity/:address`, also under its account: the name and the picture of an address. */
export function identity({ lookup, clock, place }: IdentityParts): readonly Endpoint[] {
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
          const { avatar, ...told } = await lookup.identity(address)
          const shown = avatar !== null && isAvatar(avatar)
          return { ...told, avatar: shown ? `${place.pictures}/v1/identity/${address.toLowerCase()}/avatar` : null }
        } catch (error) {
          log.warn({ reason: error instanceof Error ? error.message : '' }, 'no names')
          throw new Problem(503, '', 'Names cannot be looked up now.', { cause: error })
        }
      },
    }),
  )
}
