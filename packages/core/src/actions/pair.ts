import { isLatchkeyError, LatchkeyError, type WalletListEntry } from '@latchkey/protocol'
import type { Latchkey } from '../latchkey.ts'
import { abandonPairing } from './abandonPairing.ts'
import { connect } from './connect.ts'
import { finishConnecting } from './finishConnecting.ts'

/** The connector that reaches phone wallets, when one is configured. */
function remoteConnector(latchkey: Latchkey): string | undefined {
  return latchkey.connectors.getState().find((connector) => connector.type === 'walletConnect')?.id
}

/**
 * Waits for a phone wallet: `latchkey.pairing` holds the link to show, renewed as long as the wait lasts.
 * A wait that is under way is kept, now for the given wallet.
 *
 * @param wallet the entry of the wallet list that was chosen, when one was
 * @example pair(latchkey)
 */
export function pair(latchkey: Latchkey, wallet?: WalletListEntry): void {
  const present = latchkey.pairing.getState()
  if (present.status === 'waiting' || present.status === 'ready') {
    latchkey.pairing.setState({ ...present, wallet }, true)
    return
  }
  abandonPairing(latchkey)
  const attempt = new AbortController()
  latchkey.running.pairing = attempt
  latchkey.pairing.setState({ status: 'waiting', wallet }, true)
  void wait(latchkey, attempt)
}

async function wait(latchkey: Latchkey, attempt: AbortController): Promise<void> {
  const chosen = (): WalletListEntry | undefined => {
    const state = latchkey.pairing.getState()
    return state.status === 'idle' ? undefined : state.wallet
  }
  try {
    const id = remoteConnector(latchkey)
    if (id === undefined) throw new LatchkeyError('connector/not-found', { id: 'walletConnect' })
    await connect(latchkey, id, {
      signal: attempt.signal,
      onUri: (uri) => latchkey.pairing.setState({ status: 'ready', wallet: chosen(), uri }, true),
      recent: () => {
        const wallet = chosen()
        return wallet === undefined ? undefined : { id: wallet.id, name: wallet.name }
      },
    })
    if (latchkey.running.pairing === attempt) latchkey.running.pairing = undefined
    latchkey.pairing.setState({ status: 'idle' }, true)
    finishConnecting(latchkey)
  } catch (error) {
    if (attempt.signal.aborted) return
    // Another wallet was asked meanwhile, so nobody waits for this one any more.
    if (isLatchkeyError(error, 'connection/aborted')) return abandonPairing(latchkey)
    const told = isLatchkeyError(error)
      ? error
      : new LatchkeyError('wallet/unavailable', { wallet: 'The wallet' }, { cause: error })
    latchkey.pairing.setState({ status: 'failed', wallet: chosen(), error: told }, true)
  }
}
