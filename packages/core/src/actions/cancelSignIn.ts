import type { Latchkey } from '../latchkey.ts'
import { disconnect } from './disconnect.ts'
import { dismissModal } from './navigation.ts'

/** Leaves the sign-in view without signing: a required sign-in ends the connection, an optional one is skipped. */
export async function cancelSignIn(latchkey: Latchkey): Promise<void> {
  try {
    if (latchkey.settings.signIn?.required === true) await disconnect(latchkey)
  } finally {
    dismissModal(latchkey)
  }
}
