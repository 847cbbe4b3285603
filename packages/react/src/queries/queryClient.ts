import type { Latchkey } from '@latchkey/core'
import { defineFeature, getFeature } from '@latchkey/core/internal'
import { QueryClient, type QueryKey } from '@tanstack/react-query'

const queryClient = defineFeature((latchkey) => makeClient(latchkey))

/** Returns the query cache of an instance. */
export function queryClientOf(latchkey: Latchkey): QueryClient {
  return getFeature(latchkey, queryClient)
}

function makeClient(latchkey: Pick<Latchkey, 'events'>): QueryClient {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } } })
  // A transaction invalidates the cached data. `useKeptFresh` refreshes visible lists.
  latchkey.events.subscribe((event) => {
    if (event.type !== 'transaction') return
    void client.invalidateQueries({ predicate: isQueryOf(event, ['balance', 'tokens']) })
    void client.invalidateQueries({ predicate: isQueryOf(event, ['nfts', 'history']), refetchType: 'none' })
    void client.invalidateQueries({ queryKey: ['contracts', event.chainId] })
  })
  return client
}

type Transaction = { chainId: string; from: string }

/** Returns a predicate for the queries of some kinds about the account and chain of a transaction. */
function isQueryOf(
  { chainId, from }: Transaction,
  kinds: readonly unknown[],
): (query: { queryKey: QueryKey }) => boolean {
  return ({ queryKey: [kind, chain, address] }) =>
    kinds.includes(kind) && chain === chainId && from.endsWith(`:${String(address)}`)
}
