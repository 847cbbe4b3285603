import { getHistory, getNfts, type Latchkey, type PageOptions } from '@latchkey/core'
import type { HeldNft, HistoryItem } from '@latchkey/protocol'
import { computed, shallowRef, watch, type ComputedRef } from 'vue'
import { useAccount } from './useAccount.ts'
import { useAction } from './useAction.ts'
import { holderOf } from './useBalance.ts'
import { useRead, type Read } from './useRead.ts'

/** A paginated list. */
export type Pages<entry> = Omit<Read<readonly entry[]>, 'data'> & {
  /** All loaded entries. Empty after a failure [R4.4.6]. */
  data: ComputedRef<readonly entry[]>
  hasMore: ComputedRef<boolean>
  /** Loads the next page. Does nothing while a page is loading. */
  more(): Promise<void>
}

type Page<entry> = { readonly data: readonly entry[]; readonly next: string | null }
type ReadPage<entry> = (latchkey: Latchkey, options: PageOptions) => Promise<Page<entry>>

function usePages<entry extends { readonly id: string }>(read: ReadPage<entry>): Pages<entry> {
  const account = useAccount()
  const first = useRead(
    () => holderOf(account),
    (latchkey) => read(latchkey, { namespace: account.value.network?.chainNamespace }),
  )
  const next = useAction<[options: PageOptions], Page<entry>>(read)
  const later = shallowRef<readonly Page<entry>[]>([])
  // A new first page begins a new list. Immediately, so that no page of the earlier list is added to it.
  const startAgain = (): void => {
    later.value = []
    next.reset()
  }
  watch(first.data, startAgain, { flush: 'sync' })
  const pages = computed(() => (first.data.value === undefined ? [] : [first.data.value, ...later.value]))
  const isFetching = computed(() => first.isFetching.value || next.status.value === 'pending')
  const status = computed(() => (next.status.value === 'error' ? 'error' : first.status.value))
  const cursor = computed(() => (status.value === 'error' ? undefined : (pages.value.at(-1)?.next ?? undefined)))
  return {
    // If the list changes between two pages, an entry may repeat.
    data: computed(() => (status.value === 'error' ? [] : uniqueEntries(pages.value.flatMap(({ data }) => data)))),
    error: computed(() => next.error.value ?? first.error.value),
    status,
    isFetching,
    hasMore: computed(() => cursor.value !== undefined),
    async refetch() {
      startAgain()
      await first.refetch()
    },
    async more() {
      const start = first.data.value
      if (cursor.value === undefined || isFetching.value) return
      const options = { cursor: cursor.value, namespace: account.value.network?.chainNamespace }
      const page = await next.mutateAsync(options).catch(() => undefined)
      // The state reports the failure. The page of an earlier list is not added to a newer one.
      if (page !== undefined && first.data.value === start) later.value = [...later.value, page]
    },
  }
}

function uniqueEntries<entry extends { readonly id: string }>(entries: readonly entry[]): readonly entry[] {
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()]
}

/**
 * Returns the transactions of the connected account on its network, newest first and page by page, without spam. If a
 * page cannot be loaded, the list is empty, and `refetch` starts again with the first page.
 *
 * @example const { data: history, hasMore, more } = useHistory()
 */
export function useHistory(): Pages<HistoryItem> {
  return usePages(getHistory)
}

/**
 * Returns the NFTs of the connected account on its network, page by page. NFTs with `isSpam` were not requested and look
 * like scams: show them only on demand.
 *
 * @example const { data: nfts } = useNfts()
 */
export function useNfts(): Pages<HeldNft> {
  return usePages(getNfts)
}
