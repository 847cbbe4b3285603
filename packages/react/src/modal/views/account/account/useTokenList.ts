import { customTokens, hiddenAssets, isHiddenAsset, listCustomTokens, type CustomToken } from '@latchkey/core/money'
import { addCustomTokens } from '@latchkey/core/internal'
import type { TokenBalance } from '@latchkey/protocol'
import { useQuery } from '@tanstack/react-query'
import { useLatchkey } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { holderOf, holdingsMilliseconds } from '../../../../queries/balanceQuery.ts'
import { queryClientOf } from '../../../../queries/queryClient.ts'
import { tokensQuery } from '../../../../queries/tokensQuery.ts'
import { useStore } from '../../../../useStore.ts'

/** The tokens of the account, with those that the user imported or hid. */
export type TokenList = {
  readonly shown: readonly TokenBalance[]
  readonly hidden: readonly TokenBalance[]
  readonly imported: readonly CustomToken[]
}

/** Returns the served and the imported tokens of the account, or undefined until the served ones are loaded. */
export function useTokenList(): TokenList | undefined {
  const latchkey = useLatchkey()
  const account = useAccount()
  const imported = useStore(customTokens(latchkey))
  const hiddenIds = useStore(hiddenAssets(latchkey))
  const client = queryClientOf(latchkey)
  const { data: served } = useQuery(tokensQuery(latchkey, account), client)
  const customQuery = {
    // The key begins like that of the served tokens, so that both are refreshed together.
    queryKey: ['tokens', ...holderOf(account), 'custom', imported.map(({ address }) => address).join(' ')],
    queryFn: () => listCustomTokens(latchkey),
    enabled: account.status === 'connected' && account.supported && imported.length > 0,
    staleTime: holdingsMilliseconds,
  }
  const { data: custom = [] } = useQuery(customQuery, client)
  if (served === undefined) return undefined
  const all = addCustomTokens(served, custom)
  return {
    shown: all.filter(({ address }) => !isHiddenAsset(hiddenIds, address)),
    hidden: all.filter(({ address }) => isHiddenAsset(hiddenIds, address)),
    imported,
  }
}
