import type { Latchkey } from '@latchkey/core'
import { modalOf } from '../modal.ts'
import { currentEntry, isInHistory } from '../navigation/modalState.ts'
import { dismissModal, goBack, openModal, pushView } from '../navigation/openModal.ts'

/** Shows a wallet's own screen on top of the current view, and returns to that view afterwards. */
export function showLoginScreen(latchkey: Latchkey, connectorId: string, isWanted: boolean): void {
  const { state, tasks } = modalOf(latchkey)
  followLogins(latchkey)
  if (!isWanted) {
    if (tasks.loginScreens.delete(connectorId)) hideLoginScreen(latchkey)
    return
  }
  const entry = { view: 'ApproveTransaction', params: {} } as const
  if (state.getState().open) pushView(latchkey, entry)
  else openModal(latchkey, { entry })
  tasks.loginScreens.add(connectorId)
}

function hideLoginScreen(latchkey: Latchkey): void {
  const state = modalOf(latchkey).state.getState()
  if (!state.open || currentEntry(state).view !== 'ApproveTransaction') return
  if (state.history.length === 1) dismissModal(latchkey)
  else goBack(latchkey)
}

/** Watches if the user leaves the screens of wallets. Idempotent. */
function followLogins(latchkey: Latchkey): void {
  const { state, tasks } = modalOf(latchkey)
  tasks.stopFollowingLogins()
  tasks.stopFollowingLogins = state.subscribe(() => rejectHiddenLogins(latchkey))
}

/** Rejects the pending requests of a wallet when the user closes, leaves or replaces its screen [R2.2.7]. */
function rejectHiddenLogins(latchkey: Latchkey): void {
  const { state, tasks } = modalOf(latchkey)
  if (tasks.loginScreens.size === 0 || isInHistory(state.getState(), 'ApproveTransaction')) return
  const ids = [...tasks.loginScreens]
  tasks.loginScreens.clear()
  for (const { id, login } of latchkey.connectors.getState()) if (ids.includes(id)) login?.rejectAll()
}
