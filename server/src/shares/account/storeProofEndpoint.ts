import { Type } from '@sinclair/typebox'
import { formatBase64url } from '../../custody/requests/parseBase64url.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import type { ShareAccess } from '../approval/shareAccess.ts'
import type { StoreProofs } from './storeProofs.ts'

export type StoreProofEndpointDependencies = { access: ShareAccess; storeProofs: Pick<StoreProofs, 'createChallenge'> }

/** The endpoint with the challenge for actions that need a proof that the wallet is open. */
export function storeProofEndpoint({ access, storeProofs }: StoreProofEndpointDependencies): Endpoint {
  return defineEndpoint({
    method: 'POST',
    group: 'Share store',
    path: '/shares/v1/wallet/challenge',
    summary: 'Creates a challenge that the wallet signs for one action.',
    body: Type.Object({}),
    response: Type.Object({ challenge: Type.String() }),
    example: { body: {}, status: 401 },
    async handle({ raw }) {
      const { user, key } = await access.admit(raw)
      return { challenge: formatBase64url(await storeProofs.createChallenge(user, key)) }
    },
  })
}
