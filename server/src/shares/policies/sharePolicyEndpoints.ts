import { policyEndpoints } from '../../custody/policies/policyEndpoints.ts'
import type { PolicyRecords } from '../../custody/policies/policyRecords.ts'
import type { Endpoint } from '../../kit/http/defineEndpoint.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Devices } from '../approval/devices.ts'
import type { ShareAccess } from '../approval/shareAccess.ts'

export type SharePolicyEndpointsDependencies = {
  access: ShareAccess
  policies: PolicyRecords
  devices: Pick<Devices, 'list'>
  clock: Clock
}

/** The endpoints of the signing policy at the share store. */
export function sharePolicyEndpoints(dependencies: SharePolicyEndpointsDependencies): readonly Endpoint[] {
  const { access, policies, devices, clock } = dependencies
  return policyEndpoints({
    path: '/shares/v1/policy',
    group: 'Share store',
    policies,
    clock,
    admit: access.admit,
    listDevices: devices.list,
    // The share store does not have the accounts of the wallet. It admits approved devices only.
    assertVerifier: async () => undefined,
  })
}
