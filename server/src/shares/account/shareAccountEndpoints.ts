import { deletionEndpoints } from '../../custody/deletionEndpoints.ts'
import type { Endpoint } from '../../kit/http/defineEndpoint.ts'
import { reassignmentEndpoints, type ReassignmentEndpointsDependencies } from './reassignmentEndpoints.ts'
import type { ShareDeletions } from './shareDeletions.ts'

export type ShareAccountEndpointsDependencies = ReassignmentEndpointsDependencies & {
  deletions: Pick<ShareDeletions, 'schedule' | 'cancel'>
}

/** The endpoints for deleting a wallet, and for moving it to a new user id. */
export function shareAccountEndpoints(dependencies: ShareAccountEndpointsDependencies): readonly Endpoint[] {
  const { access, storeProofs, deletions } = dependencies
  return [
    ...deletionEndpoints({
      path: '/shares/v1/deletion',
      group: 'Share store',
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
    ...reassignmentEndpoints(dependencies),
  ]
}
