import type { ConnectionListener } from '@latchkey/core'
import type { AccountId, ChainId } from '@latchkey/protocol'
import { readAddresses } from './address.ts'
import type { Eip1193Provider } from './eip1193.ts'
import type { GuardedProvider } from './guardedProvider.ts'
import { accountIdOf, readChainId } from './networks.ts'

/**
 * Turns the events of EIP-1193 into those of a connection. Garbage in an event is passed over.
 *
 * @param chainId the chain the wallet was on
 * @returns what stops it
 */
export function followWallet(
  raw: Eip1193Provider,
  provider: GuardedProvider,
  chainId: ChainId,
  listener: ConnectionListener,
): () => void {
  let current = chainId
  let following = true
  let leaving = false

  function leave(): void {
    if (!following) return
    stop()
    listener.disconnected()
  }

  /** A wallet that is locked shows no accounts, like one that took the permission back. Nothing else is heard then. */
  async function leaveWithoutAccounts(): Promise<void> {
    leaving = true
    const permitted = await provider.isPermitted()
    if (!following) return
    stop()
    listener.disconnected(permitted === undefined ? undefined : permitted ? 'locked' : 'account-removed')
  }

  function hearAccounts(value: unknown): void {
    const addresses = readAddresses(value)
    if (!following || leaving || addresses === undefined) return
    const [first, ...others] = addresses.map((address): AccountId => accountIdOf(current, address))
    if (first === undefined) void leaveWithoutAccounts()
    else listener.accountsChanged([first, ...others])
  }

  const askAccounts = (): Promise<void> => provider.request({ method: 'eth_accounts' }).then(hearAccounts)

  const events: Readonly<Record<string, (value: unknown) => void>> = {
    accountsChanged: hearAccounts,
    chainChanged(value) {
      const next = readChainId(value)
      if (leaving || next === undefined || next === current) return
      current = next
      listener.chainChanged(next)
      // Accounts are named with their chain, and some wallets show others on each.
      askAccounts().catch(() => undefined)
    },
    // A wallet that lost its own connection often says so and comes back; one that no longer answers is gone.
    disconnect() {
      provider.probe().then(hearAccounts, () => {
        provider.abandon()
        leave()
      })
    },
  }

  function stop(): void {
    following = false
    for (const [event, hear] of Object.entries(events)) attempt(() => raw.removeListener?.(event, hear))
  }

  for (const [event, hear] of Object.entries(events)) attempt(() => raw.on?.(event, hear))
  return stop
}

/** A wallet that cannot be followed can still be asked. */
function attempt(act: () => unknown): void {
  try {
    act()
  } catch {
    // Nothing of the page depends on it.
  }
}
