import { isLatchkeyError } from '@latchkey/protocol'
import { change, type DeveloperWallet, type Pairing } from './developerWallet.ts'

/** Milliseconds after which an app should have asked for its session. */
const patience = 8_000

/**
 * Follows a pairing link to the app that made it. What becomes of it stands in the state's `pairing`.
 *
 * @returns whether the link could be followed.
 */
export async function pair(wallet: DeveloperWallet, uri: string): Promise<boolean> {
  const { protocol, clock } = wallet
  if (protocol === undefined) {
    put(wallet, { status: 'failed', reason: 'The wallet is offline. Switch that off in the settings to connect.' })
    return false
  }
  const reaching: Pairing = { status: 'reaching' }
  put(wallet, reaching)
  try {
    await protocol.pair(uri)
  } catch (error) {
    put(wallet, {
      status: 'failed',
      reason: isLatchkeyError(error) ? error.message : 'The link could not be followed.',
    })
    return false
  }
  clock.after(patience, () => {
    if (wallet.store.get().pairing === reaching) put(wallet, { status: 'late' })
  })
  return true
}

function put(wallet: DeveloperWallet, pairing: Pairing): void {
  change(wallet, { pairing })
}
