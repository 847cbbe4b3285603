import type { Latchkey } from '../latchkey.ts'
import { getAccount } from '../state/wallet.ts'

/**
 * Does what the app wants done about a wallet on a network that the app does not offer, and takes it back when the wallet
 * is on one that it does. What is rare is loaded when it is needed.
 */
export async function guardNetwork(latchkey: Latchkey): Promise<void> {
  const account = getAccount(latchkey)
  if (account.status !== 'connected' || (account.supported && !latchkey.running.warned)) return
  // A page that cannot be told is connected all the same.
  await import('./rare.ts').then(
    ({ warnOfNetwork }) => warnOfNetwork(latchkey),
    () => {},
  )
}
