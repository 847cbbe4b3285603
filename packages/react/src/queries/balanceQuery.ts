import { getBalance, type AccountState, type Balance, type Latchkey } from '@latchkey/core'
import type { UseQueryOptions } from '@tanstack/react-query'

/** Milliseconds for which an answer about holdings is good enough [R9.1.10]. */
export const holdingsMilliseconds = 30_000

/** Asks the chain for the native balance of an account, as long as one is connected. */
export function balanceQuery(latchkey: Latchkey, account: AccountState): UseQueryOptions<Balance> {
  return {
    queryKey: ['balance', ...holderOf(account)],
    queryFn: () => getBalance(latchkey, { namespace: account.network?.chainNamespace }),
    // Of a network that the app does not know, nobody can say what an account holds.
    enabled: account.status === 'connected' && account.supported,
    staleTime: holdingsMilliseconds,
  }
}

/** Whose holdings an answer is about, and on which network. */
export function holderOf(account: AccountState): readonly string[] {
  return account.status === 'connected' ? [account.network.caipNetworkId, account.address] : []
}
