import {
  isLatchkeyError,
  type WalletListEntry,
  walletError,
  type LatchkeyError,
  connectionError,
} from '@latchkey/protocol'
import { connect, type Latchkey } from '@latchkey/core'
import { finishConnecting } from '../flows/finishConnecting.ts'
import { modalOf } from '../modal.ts'
import { abandonPairing } from './abandonPairing.ts'
import type { PairingState } from './pairingState.ts'

/**
 * Waits for a phone wallet. The pairing state holds the link to show, which is renewed as long as the wait lasts. A
 * pending wait continues, now for the given wallet.
 *
 * @param wallet the chosen entry of the wallet list, if any
 * @example pair(latchkey)
 */
export function pair(latchkey: Latchkey, wallet?: WalletListEntry): void {
  const { pairing, tasks } = modalOf(latchkey)
  const current = pairing.getState()
  if (current.status === 'waiting' || current.status === 'ready') {
    pairing.setState({ ...current, wallet }, true)
    return
  }
  abandonPairing(latchkey)
  // Without adapters the app connects by itself, and passes the URIs to `showPairingUri` [R2.1.2].
  if (latchkey.adapters.length === 0) return pairing.setState({ status: 'waiting', wallet }, true)
  const attempt = new AbortController()
  tasks.pairing = attempt
  pairing.setState({ status: 'waiting', wallet }, true)
  void waitForPhone(latchkey, attempt)
}

/**
 * Shows a pairing URI that the app created itself, in the views that wait for a phone wallet. For apps without adapters,
 * which connect with the universal provider.
 *
 * @example
 * universalProvider.on('display_uri', (uri) => showPairingUri(latchkey, uri))
 * openModal(latchkey)
 */
export function showPairingUri(latchkey: Latchkey, uri: string): void {
  const { pairing } = modalOf(latchkey)
  pairing.setState({ status: 'ready', wallet: chosenWallet(pairing.getState()), uri }, true)
}

async function waitForPhone(latchkey: Latchkey, attempt: AbortController): Promise<void> {
  const { pairing, tasks } = modalOf(latchkey)
  const chosen = (): WalletListEntry | undefined => chosenWallet(pairing.getState())
  try {
    await connect(latchkey, phoneConnectorId(latchkey), {
      signal: attempt.signal,
      onUri: (uri) => pairing.setState({ status: 'ready', wallet: chosen(), uri }, true),
      recent: () => {
        const wallet = chosen()
        return wallet === undefined ? undefined : { id: wallet.id, name: wallet.name }
      },
    })
    if (tasks.pairing === attempt) tasks.pairing = undefined
    pairing.setState({ status: 'idle' }, true)
    finishConnecting(latchkey)
  } catch (error) {
    if (attempt.signal.aborted) return
    // Another wallet is being connected, so this wait is over.
    if (isLatchkeyError(error, 'connection/aborted')) return abandonPairing(latchkey)
    if (isClockWrong(error)) latchkey.events.emit({ type: 'problem', code: 'session-expired' })
    pairing.setState({ status: 'failed', wallet: chosen(), error: toPairingError(error) }, true)
  }
}

function chosenWallet(state: PairingState): WalletListEntry | undefined {
  return state.status === 'idle' ? undefined : state.wallet
}

/** The connector that reaches phone wallets. */
function phoneConnectorId({ connectors }: Pick<Latchkey, 'connectors'>): string {
  const connector = connectors.getState().find(({ type }) => type === 'walletConnect')
  if (connector === undefined) throw connectionError('connector/not-found', { id: 'walletConnect' })
  return connector.id
}

function toPairingError(error: unknown): LatchkeyError {
  if (isLatchkeyError(error)) return error
  return walletError('wallet/unavailable', { wallet: 'The wallet' }, { cause: error })
}

/** True if the relay refused the client's token because of the device's clock [R8.1.2]. */
function isClockWrong(error: unknown): boolean {
  return isLatchkeyError(error, 'relay/refused') && /not yet valid|expired/i.test(String(error.context['reason']))
}
