import type { IncomingMessage } from 'node:http'
import type { AdmittedDevice } from '../../custody/deletionEndpoints.ts'
import type { Authenticator } from '../../custody/requests/authenticator.ts'
import type { AccessClaims } from '../../custody/requests/verifyAccessToken.ts'
import { createRiskChecks } from '../../custody/requests/riskChecks.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { ApprovalLinks } from './approvalLinks.ts'
import type { Contacts } from './contacts.ts'
import type { DeviceRequests } from './deviceRequests.ts'
import type { Devices } from './devices.ts'
import type { IdentityApprovals, LoggedInDevice } from './identityApprovals.ts'

/** Decides which devices may read and change a user's data. */
export type ShareAccess = {
  /**
   * Admits a device that enrolled a share of this user's key itself, or that was approved within the last fifteen minutes by
   * mail or by an identity provider, in some cases with a second proof. The login alone is not enough, because the auth service could forge one.
   *
   * @throws Problem 401 `proof`, `token`; 403 `device`
   */
  admit(request: IncomingMessage): Promise<AdmittedDevice>
  /**
   * Admits a device that has given its first proof, to give the second one.
   *
   * @throws Problem 401 `proof`, `token`; 403 `device`
   */
  admitToSecondProof(request: IncomingMessage): Promise<LoggedInDevice>
}

export type ShareAccessDependencies = {
  clock: Clock
  authenticator: Authenticator
  links: Pick<ApprovalLinks, 'findApproval'>
  identityApprovals: Pick<IdentityApprovals, 'findApproval'>
  contacts: Pick<Contacts, 'acceptOrPin'>
  devices: Pick<Devices, 'recordUse' | 'isEstablishedDevice' | 'forgetRemoved'>
  deviceRequests: Pick<DeviceRequests, 'isNeeded' | 'getState'>
}

/** Creates the access check of the share store. */
export function createShareAccess(dependencies: ShareAccessDependencies): ShareAccess {
  const { clock, authenticator, links, identityApprovals, contacts, devices, deviceRequests } = dependencies
  const riskChecks = createRiskChecks({ clock, devices })

  async function isApproved(user: string, key: string): Promise<boolean> {
    if (await devices.recordUse(user, key)) return true
    const [mailbox, identity] = await Promise.all([links.findApproval(key), identityApprovals.findApproval(user, key)])
    if (mailbox !== undefined && (await contacts.acceptOrPin(user, mailbox))) return true
    if (identity === undefined || !(await contacts.acceptOrPin(user, identity.contact))) return false
    if (!identity.needsSecondProof || !(await deviceRequests.isNeeded(user))) return true
    return (await deviceRequests.getState({ user, key })) === 'approved'
  }

  async function authenticate(request: IncomingMessage): Promise<AccessClaims> {
    const claims = await authenticator.authenticateUser(request)
    if (claims.removedAt !== undefined) await devices.forgetRemoved(claims, claims.removedAt)
    return claims
  }

  return {
    async admit(request) {
      const claims = await authenticate(request)
      const { user, key } = claims
      if (!(await isApproved(user, key))) throw createNotApprovedProblem()
      return {
        user,
        key,
        assertFreshLogin: (action) => riskChecks.assertFreshLogin(claims, action),
        assertEstablishedDevice: () => riskChecks.assertEstablishedDevice(claims),
        hasFreshPasskey: () => riskChecks.hasFreshPasskey(claims),
      }
    },
    async admitToSecondProof(request) {
      const { user, key } = await authenticate(request)
      const identity = await identityApprovals.findApproval(user, key)
      if (identity?.needsSecondProof !== true || !(await contacts.acceptOrPin(user, identity.contact))) {
        throw createNotApprovedProblem()
      }
      return { user, key }
    },
  }
}

function createNotApprovedProblem(): Problem {
  return new Problem(403, 'device', 'This device has not been approved. Ask for a link by mail first.')
}
