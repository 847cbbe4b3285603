import { createRiskChecks } from '../../custody/requests/riskChecks.ts'
import type { StoreProof } from '../../custody/requests/storeProofSchema.ts'
import { testAuthenticator } from '../../custody/testing/mountTestEndpoints.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { ProvenAction, StoreProofs } from '../account/storeProofs.ts'
import type { ShareAccess } from '../approval/shareAccess.ts'

/** A session that is no longer fresh at the time zero, which tests of endpoints use. */
export const staleLogin = { begunAt: -600_000 }

/**
 * Creates an access check for tests of endpoints. The device `laptop` is an established one, `phone` a new one, and `stranger` was
 * not approved. The time is zero.
 */
export function createTestAccess(): ShareAccess {
  const devices = { isEstablishedDevice: async (_user: string, key: string) => key === 'laptop' }
  const riskChecks = createRiskChecks({ clock: { now: () => 0 }, devices })
  const admit: ShareAccess['admit'] = async (request) => {
    const claims = await testAuthenticator.authenticateUser(request)
    const { user, key } = claims
    if (key === 'stranger') throw new Problem(403, 'device', 'This device has not been approved.')
    return {
      user,
      key,
      assertFreshLogin: (action) => riskChecks.assertFreshLogin(claims, action),
      assertEstablishedDevice: () => riskChecks.assertEstablishedDevice(claims),
      hasFreshPasskey: () => false,
    }
  }
  return {
    admit,
    async admitToSecondProof(request) {
      const { user, key } = await admit(request)
      return { user, key }
    },
  }
}

/** The only proof that `createTestProofs` accepts. */
export const testProof: StoreProof = {
  challenge: 'A'.repeat(43),
  publicKey: 'B'.repeat(42) + 'A',
  signature: 'C'.repeat(85) + 'A',
}

/** Proofs that record the actions for which they are required, and what the device sent for them. */
export type TestProofs = Pick<StoreProofs, 'assertProof' | 'isProven'> & { required: unknown[][]; given: unknown[] }

/** Creates proofs that accept `testProof`. */
export function createTestProofs(): TestProofs {
  const required: unknown[][] = []
  const given: unknown[] = []
  const isRight = (proof: StoreProof | undefined): boolean => JSON.stringify(proof) === JSON.stringify(testProof)
  return {
    required,
    given,
    async assertProof({ user, key }, action: ProvenAction, proof) {
      required.push([`${user} ${key}`, action])
      given.push(proof)
      if (!isRight(proof)) throw new Problem(401, 'wallet', 'This does not prove that the wallet is open here.')
    },
    isProven: async (_device, _action, proof) => isRight(proof),
  }
}
