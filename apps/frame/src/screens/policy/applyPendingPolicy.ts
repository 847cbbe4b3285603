import type { KeyHolder, PolicyView } from '../../worker/keyHolder.ts'
import type { PasskeyOutcome, Passkeys } from '../recovery/passkeys.ts'

export type ApplyPendingPolicyDependencies = {
  readonly holder: Pick<KeyHolder, 'createPasskeyRequest' | 'provePasskey' | 'savePolicy'>
  readonly passkeys: Passkeys
}

/**
 * Applies a waiting policy at once: the auth service verifies a passkey of the wallet, and the policy is saved again.
 *
 * @param ids credentials of the wallet's passkeys
 * @returns the outcome of the ceremony. Only `used` changed the policy.
 * @throws LatchkeyError `policy/conflict`, `policy/unavailable`; ServiceRefusal if the passkey is unknown
 */
export async function applyPendingPolicy(
  { holder, passkeys }: ApplyPendingPolicyDependencies,
  { pending, counter }: PolicyView,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<PasskeyOutcome['kind']> {
  const outcome = await passkeys.use({ ...(await holder.createPasskeyRequest()), ids, signal })
  if (outcome.kind !== 'used' || pending === undefined) return outcome.kind
  // It would open the recovery share, which is not needed here.
  outcome.passkey.output.fill(0)
  await holder.provePasskey(outcome.passkey.proof)
  await holder.savePolicy(pending.policy, counter)
  return outcome.kind
}
