import type { Latchkey } from '@latchkey/core'
import { createErrors, connectionError } from '@latchkey/protocol'
import { getConnectionSnapshot } from './connectionSnapshot.ts'

declare module '@latchkey/protocol' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface ErrorContexts {
    'wagmi/modal-missing': object
  }
}

const wagmiError = createErrors({
  'wagmi/modal-missing': () =>
    'Nothing renders the modal: render LatchkeyProvider with this instance, or pass the id of a wallet to latchkeyConnector.',
})

/** The modal of an instance. */
export type ModalAccess = {
  /** False if nothing renders it. */
  isRendered(): boolean
  open(): void
}

/**
 * Opens the modal and waits until a wallet is connected in eip155.
 *
 * @throws LatchkeyError `wagmi/modal-missing`; `connection/aborted` if the user closes the modal
 */
export function connectWithModal(
  { wallet, events }: Pick<Latchkey, 'wallet' | 'events'>,
  modal: ModalAccess,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (!modal.isRendered()) return reject(wagmiError('wagmi/modal-missing', {}))
    const stops = [
      wallet.subscribe(settle),
      events.subscribe(({ type }) => {
        if (type !== 'modal-close') return
        settle()
        stop()
        // Has no effect if a wallet is connected.
        reject(connectionError('connection/aborted', {}))
      }),
    ]
    function stop(): void {
      for (const each of stops) each()
    }
    function settle(): void {
      if (getConnectionSnapshot({ wallet }) === undefined) return
      stop()
      resolve()
    }
    modal.open()
  })
}
