import { cancelSignIn, type Latchkey } from '@latchkey/core'
import { dismissModal } from '../navigation/openModal.ts'

/**
 * Leaves the sign-in view without signing. A required sign-in ends the connection, an optional one is skipped.
 *
 * @throws LatchkeyError `disconnect/failed`; the modal is still closed
 * @example await dismissSignIn(latchkey)
 */
export async function dismissSignIn(latchkey: Latchkey): Promise<void> {
  try {
    await cancelSignIn(latchkey)
  } finally {
    dismissModal(latchkey)
  }
}
