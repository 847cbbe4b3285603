import type { Latchkey } from '@latchkey/core'
import { modalOf } from '../modal.ts'
import { currentEntry } from '../navigation/modalState.ts'
import { dismissModal, openModal, resetView } from '../navigation/openModal.ts'
import { showToast } from '../notices/showToast.ts'

/** Opens the sign-in view. */
export function showSignIn(latchkey: Latchkey): void {
  openModal(latchkey, { entry: { view: 'SIWXSignMessage', params: {} } })
}

/** Closes the modal if it asks the user to sign in. */
export function hideSignIn(latchkey: Latchkey): void {
  if (isSignInShown(latchkey)) dismissModal(latchkey)
}

/** Keeps the sign-in open after a failed signature, and returns to it if the wallet led elsewhere [R4.3.2]. */
export function reportSignInFailure(latchkey: Latchkey, code: string | undefined): void {
  if (!isSignInShown(latchkey)) showSignIn(latchkey)
  if (code === 'request/rejected') {
    showToast(latchkey, 'Signature declined', { variant: 'error', notice: 'signInDeclined' })
  }
}

/** Returns to the wallets after the session could not be looked up [R4.3.3]. */
export function reportSessionFailure(latchkey: Latchkey): void {
  resetView(latchkey, { view: 'Connect', params: {} })
  const text = 'A problem occurred while trying initialize authentication'
  showToast(latchkey, text, { variant: 'error', notice: 'signInNotBegun' })
}

function isSignInShown(latchkey: Latchkey): boolean {
  const state = modalOf(latchkey).state.getState()
  if (!state.open) return false
  const { view } = currentEntry(state)
  return view === 'SIWXSignMessage' || view === 'ConnectingSiwe'
}
