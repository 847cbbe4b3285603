import { isLatchkeyError } from '@latchkey/protocol'
import { updateState, type DeveloperWallet, type Pairing } from './developerWallet.ts'

/** Milliseconds within which an app should propose its session. */
const timeoutMs = 8_000

/**
 * Pairs with the app that created a pairing URI. The result appears in the state's `pairing`.
 *
 * @returns true if the pairing succeeds
 */
export async function pair(wallet: DeveloperWallet, uri: string): Promise<boolean> {
  const { protocol, clock } = wallet
  if (protocol === undefined) {
    setPairing(wallet, { status: 'failed', reason: 'The wallet is offline. Go online in the settings to connect.' })
    return false
  }
  const reaching: Pairing = { status: 'reaching' }
  setPairing(wallet, reaching)
  try {
    await protocol.pair(uri)
  } catch (error) {
    setPairing(wallet, {
      status: 'failed',
      reason: isLatchkeyError(error) ? error.message : 'The pairing failed. Create a new link in the app.',
    })
    return false
  }
  clock.after(timeoutMs, () => {
    if (wallet.store.get().pairing === reaching) setPairing(wallet, { status: 'late' })
  })
  return true
}

function setPairing(wallet: DeveloperWallet, pairing: Pairing): void {
  updateState(wallet, { pairing })
}
