import { getNfts } from '@latchkey/core'
import type { HeldNft } from '@latchkey/protocol'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useLatchkey } from '../context.ts'
import { holderOf, holdingsMilliseconds } from '../queries/balanceQuery.ts'
import { toPages, cursors, pagesKey, type Pages } from '../queries/pages.ts'
import { queryClientOf } from '../queries/queryClient.ts'
import { useAccount } from './useAccount.ts'

/**
 * Returns the NFTs of the connected account on its network, page by page. NFTs with `isSpam` were not requested and look
 * like scams: show them only on demand.
 *
 * @example const { data } = useNfts()
 */
export function useNfts(): Pages<HeldNft> {
  const latchkey = useLatchkey()
  const account = useAccount()
  const client = queryClientOf(latchkey)
  const queryKey = pagesKey('nfts', holderOf(account))
  const query = useInfiniteQuery(
    {
      queryKey,
      queryFn: ({ pageParam }: { pageParam: string | undefined }) =>
        getNfts(latchkey, { cursor: pageParam, namespace: account.network?.chainNamespace }),
      ...cursors,
      enabled: account.status === 'connected' && account.supported,
      staleTime: holdingsMilliseconds,
    },
    client,
  )
  return toPages(query, () => void client.resetQueries({ queryKey }))
}
