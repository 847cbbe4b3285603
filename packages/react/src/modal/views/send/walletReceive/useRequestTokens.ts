import type { AccountState } from '@latchkey/core'
import { isAccountId, parseAccountId } from '@latchkey/protocol'
import { useQuery } from '@tanstack/react-query'
import { useLatchkey } from '../../../../context.ts'
import { queryClientOf } from '../../../../queries/queryClient.ts'
import { tokensQuery } from '../../../../queries/tokensQuery.ts'

/** A currency that can be requested. */
export type RequestToken = {
  /** The plain address of a token. Absent for the native currency. */
  readonly address?: string
  readonly symbol: string
  readonly decimals: number
}

/** Returns the native currency, and the tokens that the account holds on its network. */
export function useRequestTokens(
  account: AccountState & { status: 'connected' },
): readonly [RequestToken, ...RequestToken[]] {
  const latchkey = useLatchkey()
  const { data = [] } = useQuery(tokensQuery(latchkey, account), queryClientOf(latchkey))
  const { caipNetworkId, nativeCurrency } = account.network
  const held = data.flatMap(({ address, chainId, symbol, quantity }): RequestToken[] => {
    if (address === undefined || chainId !== caipNetworkId) return []
    const plain = isAccountId(address) ? parseAccountId(address).address : address
    return [{ address: plain, symbol, decimals: Number(quantity.decimals) }]
  })
  return [nativeCurrency, ...held]
}
