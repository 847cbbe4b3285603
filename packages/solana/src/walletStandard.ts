import { type Clock, type Connector, orAborted, systemClock } from '@latchkey/core'
import { isLatchkeyError, LatchkeyError } from '@latchkey/protocol'
import { featuresOf } from './features.ts'
import { createGuard, reasonOf } from './guard.ts'
import { createPageConnection } from './pageConnection.ts'
import { read, type StandardWallet } from './readWallet.ts'
import { readAccounts, type WalletAccount } from './walletAccounts.ts'

const connectMethod = 'standard:connect'
const disconnectMilliseconds = 1_000

/**
 * The way to a wallet that registered itself in the page. It asks nothing before `connect` or `restore` is called.
 *
 * @param leaving is aborted when the wallet unregisters itself
 */
export function standardConnector(
  id: string,
  { name, icon, wallet }: StandardWallet,
  leaving: AbortSignal,
  clock: Clock = systemClock,
): Connector {
  const features = featuresOf(wallet)
  const guard = createGuard(name, clock)
  leaving.addEventListener('abort', guard.abandon)

  /** @throws LatchkeyError `wallet/unavailable` when the wallet cannot be connected any more. */
  function ask(...inputs: readonly unknown[]): unknown {
    const connect = features.find(connectMethod, 'connect')
    if (connect === undefined) throw new LatchkeyError('wallet/unavailable', { wallet: name })
    return connect(...inputs)
  }

  const parts = { features, guard, leaving, wallet: { name, icon } }
  const take = (answer: unknown): readonly WalletAccount[] => readAccounts(read(answer, 'accounts'))

  /** What goes wrong while connecting is about the connection, not about a request that the visitor never made. */
  function connectionFailure(error: unknown): unknown {
    if (isLatchkeyError(error, 'request/rejected')) {
      return new LatchkeyError('connection/rejected', { wallet: name }, { cause: error.cause })
    }
    return isLatchkeyError(error, 'request/unknown')
      ? new LatchkeyError('wallet/unavailable', { wallet: name }, { cause: error })
      : error
  }

  return {
    id,
    name,
    type: 'injected',
    icon,
    namespaces: ['solana'],
    async connect({ networks, signal }) {
      if (signal.aborted) throw new LatchkeyError('connection/aborted', {})
      const asking = guard
        .approving(connectMethod, () => ask(), take)
        .catch((error: unknown) => {
          throw connectionFailure(error)
        })
      const accounts = await orAborted(asking, signal)
      if (accounts.length === 0)
        throw new LatchkeyError('wallet/invalid-answer', { wallet: name, method: connectMethod })
      return [createPageConnection({ ...parts, networks, accounts })]
    },
    async restore({ networks, signal }) {
      const asking = guard.reading(connectMethod, () => ask({ silent: true }), take)
      const accounts = await orAborted(asking, signal).catch((error: unknown) => {
        if (isLatchkeyError(error, 'request/failed') && /\block/i.test(reasonOf(error.cause))) {
          throw new LatchkeyError('wallet/locked', { wallet: name }, { cause: error.cause })
        }
        // Asked silently, a wallet that does not know us refuses, each in its own words.
        if (isLatchkeyError(error, 'request/failed') || isLatchkeyError(error, 'request/rejected')) return []
        throw error
      })
      if (accounts.length === 0) return []
      return [createPageConnection({ ...parts, networks, accounts })]
    },
    disconnect() {
      const disconnect = features.find('standard:disconnect', 'disconnect')
      // Many wallets cannot do it, and some never answer. Nothing here depends on it.
      return new Promise((resolve) => {
        if (disconnect === undefined) return resolve()
        const cancel = clock.after(disconnectMilliseconds, resolve)
        const finish = (): void => {
          cancel()
          resolve()
        }
        new Promise((settle) => settle(disconnect())).then(finish, finish)
      })
    },
  }
}
