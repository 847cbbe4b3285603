import { deletionEndpoints } from '../../custody/deletionEndpoints.ts'
import type { Endpoint } from '../../kit/http/defineEndpoint.ts'
import { reassignmentEndpoints, type ReassignmentEndpointsDependencies } from './reassignmentEndpoints.ts'
import type { ShareDeletions } from './shareDeletions.ts'

export type ShareAccountEndpointsDependencies = ReassignmentEndpointsDependencies & { deletions: ShareDeletions }

/** The endpoints for deleting a wallet, and for moving it to a new user id. */
export function shareAccountEndpoints(dependencies: ShareAccountEndpointsDependencies): readonly Endpoint[] {
  const { access, storeProofs, deletions } = dependencies
  return [
    ...deletionEndpoints({
      path: '/shares/v1/deletion',
      group: 'Share store',
      admit: access.admit,
      // It deletes the recovery data, so the admission of a device must not be enough.
      assertProof: (device, proof) => storeProofs.assertProof(device, { purpose: 'delete' }, proof),
      schedule: deletions.schedule,
      cancel: deletions.cancel,
    }),
    ...reassignmentEndpoints(dependencies),
  ]
}
