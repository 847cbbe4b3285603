import { getAccount } from '@latchkey/core'
import { useLatchkey } from '@latchkey/react'
import { useCallback } from 'react'
import { useRainbowKit } from '../provider/RainbowKitContext.ts'

/** A transaction that the app sent. */
export type NewTransaction = {
  hash: string
  /** Has no effect: the modal describes transactions by what they do. */
  description: string
  /** Has no effect: the status follows the network's own finality. */
  confirmations?: number
}

/**
 * Returns a function that adds a transaction of the app to the pending transactions of the account. The modal lists it and the
 * user is notified of its outcome, if the provider has `showRecentTransactions`.
 *
 * @returns the function; it does nothing without a wallet
 * @throws Error outside of a `RainbowKitProvider`
 * @example
 * const addRecentTransaction = useAddRecentTransaction()
 * addRecentTransaction({ hash, description: 'Vote' })
 */
export function useAddRecentTransaction(): (transaction: NewTransaction) => void {
  const latchkey = useLatchkey()
  const { showRecentTransactions } = useRainbowKit()
  return useCallback(
    ({ hash }) => {
      const account = getAccount(latchkey, 'eip155')
      if (!showRecentTransactions || account.status !== 'connected') return
      const { caipNetworkId: chainId } = account.network
      const from = account.account
      void import('@latchkey/core/money').then(
        ({ followTransaction }) =>
          followTransaction(latchkey, { sent: { hash }, chainId, from, what: { kind: 'other' } }),
        // Without this code, the transaction is only not listed.
        () => undefined,
      )
    },
    [latchkey, showRecentTransactions],
  )
}
