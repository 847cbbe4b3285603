import type { Latchkey } from '../latchkey.ts'
import { isInHistory } from '../modal/modal.ts'
import { getAccount } from '../state/wallet.ts'
import { dismissModal } from './navigation.ts'

/**
 * What follows a connection made in the modal: signing in where that is asked for, an unsupported network to leave,
 * or nothing more to do.
 */
export function finishConnecting(latchkey: Latchkey): void {
  if (getAccount(latchkey).status !== 'connected') return
  if (latchkey.settings.signIn === undefined) return finish(latchkey)
  void import('../signIn/lookUp.ts').then(async ({ lookUp }) => {
    const { status } = await lookUp(latchkey)
    // Otherwise the sign-in is on screen, the network is to be changed first, or nobody is connected any more.
    if (status === 'signed') finish(latchkey)
  })
}

function finish(latchkey: Latchkey): void {
  if (!isInHistory(latchkey.modal.getState(), 'UnsupportedChain')) dismissModal(latchkey)
}
