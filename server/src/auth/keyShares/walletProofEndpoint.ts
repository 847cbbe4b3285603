import { Type, type Static } from '@sinclair/typebox'
import { base64urlSchema, parseBase64url } from '../../custody/requests/parseBase64url.ts'
import type { Authenticator } from '../../custody/requests/authenticator.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { Passkeys } from '../../custody/passkeys/passkeys.ts'
import type { PasswordOprf } from '../account/passwordOprf.ts'
import type { Users } from '../login/users.ts'
import type { AuthShares, ShareOwner } from './authShares.ts'
import { verifyWalletProof } from './verifyWalletProof.ts'

/** A challenge of the auth service, and the wallet's signature of it. */
export const walletProofSchema = Type.Object({ challenge: base64urlSchema(32), signature: base64urlSchema(64) })
export type WalletProof = Static<typeof walletProofSchema>

export type WalletProofDependencies = {
  shares: Pick<AuthShares, 'listAccounts'>
  passkeys: Pick<Passkeys, 'consumeChallenge'>
}

export type WalletProofEndpointDependencies = WalletProofDependencies & {
  authenticator: Authenticator
  oprf: Pick<PasswordOprf, 'resetFailures'>
  users: Pick<Users, 'recordProof' | 'isProvenDevice'>
}

/**
 * The endpoint that ends the count of failed passwords. The service cannot see which password was right, and an enrolment
 * proves nothing, because a thief of the login can store shares of any content. The keys of the wallet can.
 */
export function walletProofEndpoint(dependencies: WalletProofEndpointDependencies): Endpoint {
  const { authenticator, oprf, users } = dependencies
  return defineEndpoint({
    method: 'POST',
    group: 'Shares of the auth service',
    path: '/auth/v1/shares/prove',
    summary: 'Proves that this device opened the wallet, and resets the count of failed passwords.',
    body: walletProofSchema,
    response: Type.Object({}),
    example: { body: { challenge: 'A'.repeat(43), signature: 'A'.repeat(86) }, status: 401 },
    async handle({ body, raw }) {
      const owner = await authenticator.authenticateUser(raw)
      await assertWalletProof(dependencies, owner, body)
      const { user, key } = owner
      // The password was counted before this proof.
      await oprf.resetFailures({ user, isProven: await users.isProvenDevice(user, key) })
      await users.recordProof(user, key)
      return {}
    },
  })
}

/**
 * Checks that a device opened the wallet, and uses the challenge up.
 *
 * @throws Problem 401 `wallet`, including without a proof
 */
export async function assertWalletProof(
  dependencies: WalletProofDependencies,
  owner: ShareOwner,
  proof: WalletProof | undefined,
): Promise<void> {
  if (await isWalletProven(dependencies, owner, proof)) return
  throw new Problem(401, 'wallet', 'This does not prove that the wallet is open here.')
}

/** True if a proof shows that a device opened the wallet. Uses the challenge up. */
export async function isWalletProven(
  { shares, passkeys }: WalletProofDependencies,
  { user, key }: ShareOwner,
  proof: WalletProof | undefined,
): Promise<boolean> {
  if (proof === undefined) return false
  const challenge = parseBase64url(proof.challenge, 'challenge', 32)
  const signature = parseBase64url(proof.signature, 'signature', 64)
  const isPending = await passkeys.consumeChallenge(user, key, challenge)
  const accounts = (await shares.listAccounts(user)) ?? []
  return isPending && verifyWalletProof(accounts, { challenge, signature })
}
