import { policyEndpoints } from '../../custody/policies/policyEndpoints.ts'
import type { PolicyRecords } from '../../custody/policies/policyRecords.ts'
import { policyVerifierChallenge } from '../../custody/policies/verifyPolicyRecord.ts'
import type { Authenticator } from '../../custody/requests/authenticator.ts'
import type { RiskChecks } from '../../custody/requests/riskChecks.ts'
import type { Endpoint } from '../../kit/http/defineEndpoint.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { AuthShares } from '../keyShares/authShares.ts'
import { verifyWalletProof } from '../keyShares/verifyWalletProof.ts'
import type { Users } from '../login/users.ts'
import { createDeviceAdmission } from './accountEndpoints.ts'
import type { PendingPolicies } from './pendingPolicies.ts'

export type AuthPolicyEndpointsDependencies = {
  authenticator: Authenticator
  riskChecks: RiskChecks
  policies: Pick<PolicyRecords, 'list' | 'write'>
  shares: Pick<AuthShares, 'listDevices' | 'listAccounts'>
  users: Pick<Users, 'isEstablishedDevice'>
  pendingPolicies: Pick<PendingPolicies, 'notify'>
  clock: Clock
}

/** The endpoints of the signing policy at the auth service. */
export function authPolicyEndpoints(dependencies: AuthPolicyEndpointsDependencies): readonly Endpoint[] {
  const { policies, shares, users, pendingPolicies, clock } = dependencies
  return policyEndpoints({
    path: '/auth/v1/policy',
    group: 'Account',
    policies,
    clock,
    admit: createDeviceAdmission(dependencies),
    async listDevices(user) {
      const devices = await shares.listDevices(user)
      return Promise.all(
        devices.map(async ({ key }) => ({ key, isEstablished: await users.isEstablishedDevice(user, key) })),
      )
    },
    notifyPending: pendingPolicies.notify,
    // A login alone must not choose the key: a thief of the login could keep the owner from ever setting a policy.
    async assertVerifier({ user }, { verifier, certificate }) {
      const accounts = (await shares.listAccounts(user)) ?? []
      if (verifyWalletProof(accounts, { challenge: policyVerifierChallenge(verifier), signature: certificate })) return
      throw new Problem(401, 'wallet', 'This does not prove that the wallet is open here.')
    },
  })
}
