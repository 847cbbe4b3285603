import { Type } from '@sinclair/typebox'
import type { Clock } from '../../kit/runtime/clock.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { Problem } from '../../kit/http/problem.ts'
import { addressParam, chainIdQuery, commonQuery, isNamespaceAddress } from '../http/commonQuery.ts'
import { addProject } from '../http/addProject.ts'
import { isAvatarRecord } from './avatars.ts'
import type { IdentityLookup } from './identityLookup.ts'

const nullable = Type.Union([Type.String(), Type.Null()])
const result = Type.Object({ name: nullable, avatar: nullable, resolvedAt: Type.String() })

export type IdentityDependencies = {
  lookup: IdentityLookup
  clock: Clock
  /** The URL at which browsers reach this server, which serves avatars itself. */
  place: { readonly pictures: string }
}

/** `GET /v1/identity/:address` and `/v1/account/:address/identity`: the name and the picture of an address. */
export function createIdentityEndpoints({ lookup, clock, place }: IdentityDependencies): readonly Endpoint[] {
  return (['/v1/identity/:address', '/v1/account/:address/identity'] as const).map((path) =>
    defineEndpoint({
      method: 'GET',
      path,
      group: 'Names',
      summary:
        'The name and the picture of an address, or null if it has none. A contract has its name on one chain only.',
      params: addressParam,
      query: Type.Object({
        ...commonQuery,
        ...chainIdQuery,
        sender: Type.Optional(Type.String({ maxLength: 128 })),
        useCache: Type.Optional(Type.Boolean()),
      }),
      response: result,
      cache: 'public, max-age=300, s-maxage=300',
      example: { params: { address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' } },
      async handle({ params: { address }, query: { projectId, chainId }, log }) {
        if (isNamespaceAddress('solana', address) && !address.startsWith('0x')) {
          return { name: null, avatar: null, resolvedAt: new Date(clock.now()).toISOString() }
        }
        if (!isNamespaceAddress('eip155', address)) throw new Problem(400, 'address', 'This is not an address.')
        try {
          const { avatar, ...identity } = await lookup.identity(address, chainId)
          const shown = avatar !== null && isAvatarRecord(avatar)
          const url = `${place.pictures}/v1/identity/${address.toLowerCase()}/avatar`
          return { ...identity, avatar: shown ? addProject(url, projectId) : null }
        } catch (error) {
          log.warn({ reason: error instanceof Error ? error.message : '' }, 'no names')
          throw new Problem(503, '', 'Names are not available right now.', { cause: error })
        }
      },
    }),
  )
}
