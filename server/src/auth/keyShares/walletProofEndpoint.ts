import { Type } from '@sinclair/typebox'
import { base64urlSchema, parseBase64url } from '../../custody/requests/parseBase64url.ts'
import type { Authenticator } from '../../custody/requests/authenticator.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { Passkeys } from '../../custody/passkeys/passkeys.ts'
import type { PasswordOprf } from '../account/passwordOprf.ts'
import type { AuthShares } from './authShares.ts'
import { verifyWalletProof } from './verifyWalletProof.ts'

export type WalletProofEndpointDependencies = {
  shares: Pick<AuthShares, 'listAccounts'>
  authenticator: Authenticator
  passkeys: Pick<Passkeys, 'consumeChallenge'>
  oprf: Pick<PasswordOprf, 'resetFailures'>
}

/**
 * The endpoint that ends the count of failed passwords. The service cannot see which password was right, and an enrolment
 * proves nothing, because a thief of the login can store shares of any content. The keys of the wallet can.
 */
export function walletProofEndpoint(dependencies: WalletProofEndpointDependencies): Endpoint {
  const { shares, authenticator, passkeys, oprf } = dependencies
  return defineEndpoint({
    method: 'POST',
    group: 'Shares of the auth service',
    path: '/auth/v1/shares/prove',
    summary: 'Proves that this device opened the wallet, and resets the count of failed passwords.',
    body: Type.Object({ challenge: base64urlSchema(32), signature: base64urlSchema(64) }),
    response: Type.Object({}),
    example: { body: { challenge: 'A'.repeat(43), signature: 'A'.repeat(86) }, status: 401 },
    async handle({ body, raw }) {
      const { user, key } = await authenticator.authenticateUser(raw)
      const challenge = parseBase64url(body.challenge, 'challenge', 32)
      const isPending = await passkeys.consumeChallenge(user, key, challenge)
      const accounts = (await shares.listAccounts(user)) ?? []
      const signature = parseBase64url(body.signature, 'signature', 64)
      if (!isPending || !verifyWalletProof(accounts, { challenge, signature })) {
        throw new Problem(401, 'wallet', 'This does not prove that the wallet is open here.')
      }
      await oprf.resetFailures(user)
      return {}
    },
  })
}
