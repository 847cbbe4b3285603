import type { Latchkey } from '@latchkey/core'
import { connectedWallet } from '@latchkey/core/internal'
import { connectionError } from '@latchkey/protocol'

/** True if a Solana wallet is connected, even while another one is connecting. */
export function hasSolanaWallet({ wallet }: Pick<Latchkey, 'wallet'>): boolean {
  return connectedWallet(wallet.getState().namespaces.solana) !== undefined
}

/**
 * Lets the user connect a wallet, and waits until one is connected. If `choose` opens the modal, waits until it closes.
 *
 * @param choose opens the modal, or connects a wallet itself
 * @throws LatchkeyError `connection/aborted` if the modal closes without a connection, `connection/not-connected` if `choose`
 *   neither opened the modal nor connected a wallet; the errors of `choose`
 */
export function chooseWallet(
  { wallet, events }: Pick<Latchkey, 'wallet' | 'events'>,
  choose: () => unknown,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let isModalOpen = false
    const stops = [
      wallet.subscribe(settle),
      events.subscribe((event) => {
        // The modal adds its events to those of the core.
        const type: string = event.type
        if (type === 'modal-open') isModalOpen = true
        if (type === 'modal-close') settle(connectionError('connection/aborted', {}))
      }),
    ]
    function settle(failure?: unknown): void {
      const isConnected = hasSolanaWallet({ wallet })
      if (!isConnected && !(failure instanceof Error)) return
      for (const stop of stops) stop()
      if (isConnected) resolve()
      else reject(failure)
    }
    new Promise((chosen) => chosen(choose())).then(
      () => (isModalOpen ? undefined : settle(connectionError('connection/not-connected', {}))),
      (error: unknown) => settle(error instanceof Error ? error : new Error(String(error))),
    )
  })
}
