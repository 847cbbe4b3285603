import { companion, type Latchkey } from '@latchkey/core'
import { QueryClient, type QueryKey } from '@tanstack/react-query'

const queryClientKey = Symbol('queryClient')

/** What the servers and chains of an instance answered, kept with the instance. */
export function queryClientOf(latchkey: Latchkey): QueryClient {
  return companion(latchkey, queryClientKey, () => makeClient(latchkey))
}

function makeClient(latchkey: Latchkey): QueryClient {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } } })
  // What was read before a transaction is not true after it. Lists are read anew by `useKeptFresh`, as far as they are seen.
  latchkey.events.subscribe((event) => {
    if (event.type !== 'transaction') return
    void client.invalidateQueries({ predicate: isOf(event, ['balance', 'tokens']) })
    void client.invalidateQueries({ predicate: isOf(event, ['nfts', 'history']), refetchType: 'none' })
  })
  return client
}

type Transaction = { chainId: string; from: string }

/** Whether a query is one of some kinds, about the account of a transaction on its chain. */
function isOf({ chainId, from }: Transaction, kinds: readonly unknown[]): (query: { queryKey: QueryKey }) => boolean {
  return ({ queryKey: [kind, chain, address] }) =>
    kinds.includes(kind) && chain === chainId && from.endsWith(`:${String(address)}`)
}
