import { toAccountId, tryOrUndefined } from '@latchkey/adapter-kit'
import type { ConnectionListener } from '@latchkey/core'
import type { AccountId, ChainId } from '@latchkey/protocol'
import { parseEvmAddresses } from '../address/parseEvmAddresses.ts'
import { parseEvmChainId } from '../chain/evmChainId.ts'
import type { Eip1193Provider } from './eip1193Provider.ts'
import type { EvmProvider } from './evmProvider.ts'

/**
 * Translates the events of EIP-1193 into those of a connection. Invalid events are ignored.
 *
 * @param chainId the chain that the wallet was on
 * @returns a function that stops following the wallet
 */
export function followWallet(
  raw: Eip1193Provider,
  provider: EvmProvider,
  chainId: ChainId,
  listener: ConnectionListener,
): () => void {
  let current = chainId
  let state: 'following' | 'leaving' | 'stopped' = 'following'

  /** A locked wallet shows no accounts, like a wallet that revoked the permission. Later events are ignored. */
  async function leaveWithoutAccounts(): Promise<void> {
    state = 'leaving'
    const isPermitted = await provider.isPermitted()
    if (state !== 'leaving') return
    stop()
    listener.disconnected(isPermitted === undefined ? undefined : isPermitted ? 'locked' : 'account-removed')
  }

  function acceptAccounts(value: unknown): void {
    const addresses = parseEvmAddresses(value)
    if (state !== 'following' || addresses === undefined) return
    const [first, ...others] = addresses.map((address): AccountId => toAccountId('eip155', current, address))
    if (first === undefined) void leaveWithoutAccounts()
    else listener.accountsChanged([first, ...others])
  }

  const stopEvents = listenToProvider(raw, {
    accountsChanged: acceptAccounts,
    chainChanged(value) {
      const next = parseEvmChainId(value)
      if (state !== 'following' || next === undefined || next === current) return
      current = next
      listener.chainChanged(next)
      // Account ids contain the chain, and some wallets share other accounts on each chain.
      provider
        .request({ method: 'eth_accounts' })
        .then(acceptAccounts)
        .catch(() => undefined)
    },
    // A wallet that lost its own connection often emits this and comes back. One that does not respond is gone.
    disconnect() {
      provider.probe().then(acceptAccounts, () => {
        provider.abandon()
        if (state === 'stopped') return
        stop()
        listener.disconnected()
      })
    },
  })

  function stop(): void {
    state = 'stopped'
    stopEvents()
  }
  return stop
}

/**
 * Waits until a locked wallet shows its accounts again.
 *
 * @returns a function that stops waiting
 */
export function watchForAccounts(raw: Eip1193Provider, shown: () => void): () => void {
  return listenToProvider(raw, {
    accountsChanged(value) {
      if ((parseEvmAddresses(value) ?? []).length > 0) shown()
    },
  })
}

type ProviderEvents = Readonly<Record<string, (value: unknown) => void>>

/** Listens to a provider. A wallet that can't be followed stays usable. */
function listenToProvider(raw: Eip1193Provider, events: ProviderEvents): () => void {
  for (const [event, listener] of Object.entries(events)) tryOrUndefined(() => raw.on?.(event, listener))
  return () => {
    for (const [event, listener] of Object.entries(events)) tryOrUndefined(() => raw.removeListener?.(event, listener))
  }
}
