import { getHistory, type AccountState, type Latchkey } from '@latchkey/core'
import { invalidateBalances } from '@latchkey/core/internal'
import type { HistoryItem } from '@latchkey/protocol'
import type { InfiniteData } from '@tanstack/react-query'
import { holderOf } from './balanceQuery.ts'
import { pagesKey, type Page } from './pages.ts'
import { queryClientOf } from './queryClient.ts'

/** Refreshes the visible data of an account. Other data is refreshed when it is shown. */
export async function refreshAccount(latchkey: Latchkey, account: AccountState): Promise<void> {
  if (account.status !== 'connected') return
  const client = queryClientOf(latchkey)
  const holder = holderOf(account)
  invalidateBalances(latchkey, account.account, account.network.caipNetworkId)
  await Promise.allSettled([
    ...['balance', 'tokens', 'nfts'].map((kind) =>
      client.refetchQueries({ queryKey: [kind, ...holder], type: 'active' }),
    ),
    refreshHistory(latchkey, account),
  ])
}

type HistoryPages = InfiniteData<Page<HistoryItem>, string | undefined>

/** Loads only the newest page, because older pages don't change. */
async function refreshHistory(latchkey: Latchkey, account: AccountState): Promise<void> {
  const client = queryClientOf(latchkey)
  const queryKey = pagesKey('history', holderOf(account))
  const query = client.getQueryCache().find<unknown, Error, HistoryPages>({ queryKey, exact: true })
  const before = query?.state.data
  if (query?.isActive() !== true || query.state.fetchStatus !== 'idle' || before === undefined) return
  const newest = await getHistory(latchkey, { namespace: account.network?.chainNamespace })
  // Another request may have loaded newer data in the meantime.
  if (query.state.data === before && query.state.fetchStatus === 'idle') {
    client.setQueryData<HistoryPages>(queryKey, withNewest(before, newest))
  }
}

function withNewest(before: HistoryPages, newest: Page<HistoryItem>): HistoryPages {
  const ids = new Set(newest.data.map(({ id }) => id))
  const meets = before.pages.some(({ data }) => data.some(({ id }) => ids.has(id)))
  // The pages don't overlap, so entries may be missing between them. The list starts again.
  if (!meets) return { pages: [newest], pageParams: [undefined] }
  const rest = before.pages.map((page) => ({ ...page, data: page.data.filter(({ id }) => !ids.has(id)) }))
  const [first = newest, ...others] = rest
  return { ...before, pages: [{ ...first, data: [...newest.data, ...first.data] }, ...others] }
}
