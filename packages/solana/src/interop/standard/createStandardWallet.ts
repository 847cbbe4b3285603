import { disconnect, start, type Latchkey } from '@latchkey/core'
import { connectionForRequest, waitUntilRestored } from '@latchkey/core/internal'
import { connectionError } from '@latchkey/protocol'
import { createClients } from '../createClients.ts'
import { ownFeature } from '../../page/ownFeature.ts'
import { createAccountList, listStandardChains } from './createAccountList.ts'
import { createSigningFeatures } from './createSigningFeatures.ts'
import { chooseWallet, hasSolanaWallet } from './chooseWallet.ts'
import { latchkeyIcon } from './latchkeyIcon.ts'
import { rejectAsProvider } from './rejectAsProvider.ts'
import type { LatchkeyStandardWallet, StandardAccount, StandardFeatures } from './standardAccount.ts'

export type StandardWalletOptions = {
  /**
   * Lets the user connect a wallet: opens the modal, or connects a wallet itself. Without it, apps can only use a wallet that is
   * connected already.
   */
  connect?: () => unknown
  /** The name in the wallet lists of apps, `Latchkey` by default. */
  name?: string
  /** A data URI in base64, the icon of Latchkey by default. */
  icon?: LatchkeyStandardWallet['icon']
}

/**
 * Creates a wallet of the Wallet Standard from an instance. Its accounts are those of the primary Solana wallet, however that is
 * connected, and follow it. Apps that use the Wallet Standard, such as those with `@solana/wallet-adapter` or `@solana/react`, can
 * then use that wallet.
 *
 * - `standard:connect` resolves with the connected wallet, waits for the one that is being restored, or calls `connect`.
 * - Every signature is verified before the app receives it.
 * - A request for another network of the app switches the wallet first.
 * - Requests reject with the numbers of EIP-1193, such as 4001 if the user declined. The `cause` is the LatchkeyError.
 *
 * @param latchkey the instance, with an adapter for Solana
 * @returns a wallet to register, or to pass to a library. Latchkey never lists it as one of its own wallets.
 * @example const wallet = createStandardWallet(latchkey, { connect: () => openModal(latchkey, { namespace: 'solana' }) })
 */
export function createStandardWallet(
  latchkey: Latchkey,
  { connect, name = 'Latchkey', icon = latchkeyIcon }: StandardWalletOptions = {},
): LatchkeyStandardWallet {
  const listAccounts = createAccountList(latchkey)
  const networks = latchkey.networks.filter(({ chainNamespace }) => chainNamespace === 'solana')
  let isStarted = false

  async function connectAccounts(silent: boolean): Promise<{ accounts: readonly StandardAccount[] }> {
    // Restores the stored connection. The instance shares one run with the app.
    if (!isStarted) start(latchkey)
    isStarted = true
    await waitUntilRestored(latchkey, 'solana')
    if (!silent && !hasSolanaWallet(latchkey)) {
      if (connect === undefined) throw connectionError('connection/not-connected', {})
      await chooseWallet(latchkey, connect)
    }
    return { accounts: listAccounts() }
  }

  const features: StandardFeatures = {
    'standard:connect': {
      version: '1.0.0',
      connect: ({ silent = false } = {}) => rejectAsProvider(() => connectAccounts(silent)),
    },
    'standard:disconnect': {
      version: '1.0.0',
      disconnect: () => rejectAsProvider(() => disconnect(latchkey, 'solana')),
    },
    'standard:events': { version: '1.0.0', on: createChangeEvent(latchkey, listAccounts) },
    ...createSigningFeatures({
      wallet: latchkey.wallet,
      networks: latchkey.networks,
      clients: createClients(latchkey),
      switchNetwork: (chainId) => connectionForRequest(latchkey, { chainId }),
    }),
    [ownFeature]: { version: '1.0.0' },
  }
  return Object.freeze({
    version: '1.0.0',
    name,
    icon,
    chains: listStandardChains(networks.map(({ caipNetworkId }) => caipNetworkId)),
    features: Object.freeze(features),
    get accounts() {
      return listAccounts()
    },
  })
}

/** Creates the event that reports changed accounts. The instance is followed while there are listeners. */
function createChangeEvent(
  { wallet }: Pick<Latchkey, 'wallet'>,
  listAccounts: () => readonly StandardAccount[],
): StandardFeatures['standard:events']['on'] {
  const listeners = new Set<{ call(change: { accounts: readonly StandardAccount[] }): void }>()
  let reported: readonly StandardAccount[] = []
  let stop = (): void => {}

  function report(): void {
    const accounts = listAccounts()
    if (accounts === reported) return
    reported = accounts
    for (const listener of listeners) {
      try {
        listener.call({ accounts })
      } catch (error) {
        // An error in the app's listener is reported and does not stop the other listeners.
        console.error(error)
      }
    }
  }

  return (event, call) => {
    // Later versions of the standard may add events.
    if (event !== 'change') return () => {}
    const listener = { call }
    if (listeners.size === 0) {
      reported = listAccounts()
      stop = wallet.subscribe(report)
    }
    listeners.add(listener)
    return () => {
      if (listeners.delete(listener) && listeners.size === 0) stop()
    }
  }
}
