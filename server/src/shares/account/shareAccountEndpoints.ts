import { Type } from '@sinclair/typebox'
import { deletionEndpoints } from '../../custody/deletionEndpoints.ts'
import type { Authenticator } from '../../custody/requests/authenticator.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import type { ApprovalLinks } from '../approval/approvalLinks.ts'
import type { IdentityApprovals } from '../approval/identityApprovals.ts'
import type { ShareAccess } from '../approval/shareAccess.ts'
import type { StoreProofs } from './storeProofs.ts'
import type { ShareDeletions } from './shareDeletions.ts'
import type { WalletReassignment } from './walletReassignment.ts'

export type ShareAccountEndpointsDependencies = {
  access: ShareAccess
  storeProofs: Pick<StoreProofs, 'assertProof'>
  authenticator: Authenticator
  links: Pick<ApprovalLinks, 'findApproval'>
  identityApprovals: Pick<IdentityApprovals, 'findApproval'>
  deletions: ShareDeletions
  reassignment: WalletReassignment
}

/** The endpoints for deleting a wallet, and for moving it to a new user id. */
export function shareAccountEndpoints(dependencies: ShareAccountEndpointsDependencies): readonly Endpoint[] {
  const { access, storeProofs, authenticator, links, identityApprovals, deletions, reassignment } = dependencies
  const group = 'Share store'
  return [
    ...deletionEndpoints({
      path: '/shares/v1/deletion',
      group,
      admit: access.admit,
      summary: 'Schedules the deletion of everything that the share store keeps of the user, after three days.',
      async schedule(device, proof) {
        // It deletes the recovery data, so the admission of a device must not be enough.
        const publicKey = proof?.publicKey
        const complete = proof === undefined || publicKey === undefined ? undefined : { ...proof, publicKey }
        await storeProofs.assertProof(device, { purpose: 'delete' }, complete)
        return deletions.schedule(device.user)
      },
      cancel: deletions.cancel,
    }),
    defineEndpoint({
      method: 'POST',
      group,
      path: '/shares/v1/adopt',
      summary: 'Moves the wallet to a new user id, after the auth service lost the old one.',
      body: Type.Object({}),
      response: Type.Object({ previous: Type.String() }),
      example: { body: {}, status: 401 },
      async handle({ raw }) {
        const { user, key } = await authenticator.authenticateUser(raw)
        // The share that the device enrolled is the second proof.
        const contact = (await links.findApproval(key)) ?? (await identityApprovals.findApproval(user, key))?.contact
        return { previous: await reassignment.reassign(user, key, contact) }
      },
    }),
  ]
}
