import { isLatchkeyError, type WalletListEntry, configError, walletError, type LatchkeyError } from '@latchkey/protocol'
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
  const attempt = new AbortController()
  tasks.pairing = attempt
  pairing.setState({ status: 'waiting', wallet }, true)
  void waitForPhone(latchkey, attempt)
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
    pairing.setState({ status: 'failed', wallet: chosen(), error: toPairingError(error) }, true)
  }
}

function chosenWallet(state: PairingState): WalletListEntry | undefined {
  return state.status === 'idle' ? undefined : state.wallet
}

/** The connector that reaches phone wallets. */
function phoneConnectorId({ connectors }: Pick<Latchkey, 'connectors'>): string {
  const connector = connectors.getState().find(({ type }) => type === 'walletConnect')
  if (connector === undefined) throw configError('connector/not-found', { id: 'walletConnect' })
  return connector.id
}

function toPairingError(error: unknown): LatchkeyError {
  if (isLatchkeyError(error)) return error
  return walletError('wallet/unavailable', { wallet: 'The wallet' }, { cause: error })
}
