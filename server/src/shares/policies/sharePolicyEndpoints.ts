import { policyEndpoints } from '../../custody/policies/policyEndpoints.ts'
import type { PolicyRecords } from '../../custody/policies/policyRecords.ts'
import type { Endpoint } from '../../kit/http/defineEndpoint.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { StoreProofs } from '../account/storeProofs.ts'
import type { Devices } from '../approval/devices.ts'
import type { ShareAccess } from '../approval/shareAccess.ts'

export type SharePolicyEndpointsDependencies = {
  access: ShareAccess
  storeProofs: Pick<StoreProofs, 'assertProof'>
  policies: Pick<PolicyRecords, 'list' | 'write'>
  devices: Pick<Devices, 'list'>
  clock: Clock
}

/** The endpoints of the signing policy at the share store. */
export function sharePolicyEndpoints(dependencies: SharePolicyEndpointsDependencies): readonly Endpoint[] {
  const { access, storeProofs, policies, devices, clock } = dependencies
  return policyEndpoints({
    path: '/shares/v1/policy',
    group: 'Share store',
    policies,
    clock,
    admit: access.admit,
    listDevices: devices.list,
    // The share store does not have the accounts of the wallet, and the admission of a device is not enough: a thief of a login could
    // keep the owner from ever setting a policy.
    assertVerifier: (device, { verifier, proof }) =>
      storeProofs.assertProof(device, { purpose: 'policy', verifier }, proof),
  })
}
