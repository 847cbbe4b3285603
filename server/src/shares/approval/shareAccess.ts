import type { IncomingMessage } from 'node:http'
import type { AdmittedDevice } from '../../custody/deletionEndpoints.ts'
import type { Authenticator } from '../../custody/requests/authenticator.ts'
import { createRiskChecks } from '../../custody/requests/riskChecks.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { ApprovalLinks } from './approvalLinks.ts'
import type { Contacts } from './contacts.ts'
import type { Devices } from './devices.ts'
import type { IdentityApprovals } from './identityApprovals.ts'

/** Decides which devices may read and change a user's data. */
export type ShareAccess = {
  /**
   * Admits a device that enrolled a share of this user's key itself, or that was approved within the last fifteen minutes by
   * mail or by an identity provider. The login alone is not enough, because the auth service could forge one.
   *
   * @throws Problem 401 `proof`, `token`; 403 `device`
   */
  admit(request: IncomingMessage): Promise<AdmittedDevice>
}

export type ShareAccessDependencies = {
  clock: Clock
  authenticator: Authenticator
  links: Pick<ApprovalLinks, 'findApproval'>
  identityApprovals: Pick<IdentityApprovals, 'findApproval'>
  contacts: Pick<Contacts, 'acceptOrPin'>
  devices: Pick<Devices, 'recordUse' | 'isEstablishedDevice'>
}

/** Creates the access check of the share store. */
export function createShareAccess(dependencies: ShareAccessDependencies): ShareAccess {
  const { clock, authenticator, links, identityApprovals, contacts, devices } = dependencies
  const riskChecks = createRiskChecks({ clock, devices })

  async function isApproved(user: string, key: string): Promise<boolean> {
    if (await devices.recordUse(user, key)) return true
    for (const contact of [await links.findApproval(key), await identityApprovals.findApproval(user, key)]) {
      if (contact !== undefined && (await contacts.acceptOrPin(user, contact))) return true
    }
    return false
  }

  return {
    async admit(request) {
      const claims = await authenticator.authenticateUser(request)
      const { user, key } = claims
      if (!(await isApproved(user, key))) {
        throw new Problem(403, 'device', 'This device has not been approved. Ask for a link by mail first.')
      }
      return {
        user,
        key,
        assertFreshLogin: () => riskChecks.assertFreshLogin(claims),
        assertEstablishedDevice: () => riskChecks.assertEstablishedDevice(claims),
      }
    },
  }
}
