import { getBalance, getCapabilities, getTokens, type AccountState, type Balance } from '@latchkey/core'
import type { ChainId, TokenBalance } from '@latchkey/protocol'
import type { Ref } from 'vue'
import { useAccount } from './useAccount.ts'
import { useRead, type Read } from './useRead.ts'

/** The capabilities of a wallet, by chain. */
export type Capabilities = Readonly<Record<ChainId, Readonly<Record<string, unknown>>>>

/**
 * Returns the native balance of the connected account on its network.
 *
 * @example const { data: balance } = useBalance()
 */
export function useBalance(): Read<Balance> {
  const account = useAccount()
  return useRead(
    () => holderOf(account),
    (latchkey) => getBalance(latchkey, { fresh: true }),
  )
}

/**
 * Returns the token balances of the connected account on its network, most valuable first. The list is empty without a
 * server. `refetch` reads them from the chain.
 *
 * @example const { data: tokens } = useTokens()
 */
export function useTokens(): Read<readonly TokenBalance[]> {
  const account = useAccount()
  return useRead(
    () => holderOf(account),
    (latchkey) => getTokens(latchkey, { fresh: true }),
  )
}

/**
 * Returns what the connected wallet can do on each chain (EIP-5792). It is empty if the wallet does not report it.
 *
 * @returns the error is `request/not-allowed` in namespaces without capabilities
 * @example const { data } = useCapabilities()
 */
export function useCapabilities(): Read<Capabilities> {
  const account = useAccount()
  const subject = (): string | undefined => (account.value.status === 'connected' ? account.value.account : undefined)
  return useRead(subject, (latchkey) => getCapabilities(latchkey))
}

/** Returns the state of an account whose network can be read. */
export function holderOf(account: Readonly<Ref<AccountState>>): object | undefined {
  return account.value.status === 'connected' && account.value.supported ? account.value : undefined
}
