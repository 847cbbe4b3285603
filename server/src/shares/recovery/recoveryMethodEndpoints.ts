import { Type } from '@sinclair/typebox'
import { formatBase64url } from '../../custody/requests/parseBase64url.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { storeProofSchema } from '../../custody/requests/storeProofSchema.ts'
import type { StoreProofs } from '../account/storeProofs.ts'
import type { ShareAccess } from '../approval/shareAccess.ts'
import type { AutomaticKeys } from './automaticKeys.ts'
import type { RecoveryMethods } from './recoveryMethods.ts'
import { parseWrappedKey, wrappedKeySchema } from './wrappedKeySchema.ts'

export type RecoveryMethodEndpointsDependencies = {
  access: ShareAccess
  storeProofs: Pick<StoreProofs, 'assertProof'>
  methods: RecoveryMethods
  automaticKeys: Pick<AutomaticKeys, 'getOrCreate'>
}

const common = { method: 'POST', group: 'Share store' } as const
const refused = { status: 401 }

/** The endpoints of recovery methods. */
export function recoveryMethodEndpoints(dependencies: RecoveryMethodEndpointsDependencies): readonly Endpoint[] {
  return [...methodEndpoints(dependencies), automaticKeyEndpoint(dependencies)]
}

function methodEndpoints({ access, storeProofs, methods }: RecoveryMethodEndpointsDependencies): readonly Endpoint[] {
  const listed = Type.Object({
    id: Type.String(),
    method: Type.String(),
    facts: Type.String(),
    createdAt: Type.Integer(),
  })
  return [
    defineEndpoint({
      ...common,
      path: '/shares/v1/ways/list',
      summary: 'Lists the recovery methods of the wallet.',
      body: Type.Object({}),
      response: Type.Object({ ways: Type.Array(listed) }),
      example: { body: {}, ...refused },
      async handle({ raw }) {
        const { user } = await access.admit(raw)
        return { ways: [...(await methods.list(user))] }
      },
    }),
    defineEndpoint({
      ...common,
      path: '/shares/v1/ways',
      summary:
        'Adds or replaces a recovery method, with a proof that the wallet is open. To remove one, start the next epoch without it.',
      body: Type.Object({ ...wrappedKeySchema.properties, proof: Type.Optional(storeProofSchema) }),
      response: Type.Object({}),
      example: {
        body: { id: 'password', method: 'password', wrapped: 'AAAAAAAAAAAAAAAAAAAAAA', facts: '{}' },
        ...refused,
      },
      async handle({ body: { proof, ...wrappedKey }, raw }) {
        const { user, key, assertEstablishedDevice } = await access.admit(raw)
        await assertEstablishedDevice()
        const method = parseWrappedKey(wrappedKey)
        // It replaces a method with the same id.
        await storeProofs.assertProof({ user, key }, { purpose: 'method', method }, proof)
        await methods.add(user, method)
        return {}
      },
    }),
  ]
}

function automaticKeyEndpoint({ access, automaticKeys }: RecoveryMethodEndpointsDependencies): Endpoint {
  return defineEndpoint({
    ...common,
    path: '/shares/v1/auto',
    summary: 'Returns the key of the automatic recovery method to an approved device.',
    body: Type.Object({}),
    response: Type.Object({ key: Type.String() }),
    example: { body: {}, ...refused },
    async handle({ raw }) {
      const { user } = await access.admit(raw)
      return { key: formatBase64url(await automaticKeys.getOrCreate(user)) }
    },
  })
}
