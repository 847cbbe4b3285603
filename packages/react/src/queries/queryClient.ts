import { companion, type Latchkey } from '@latchkey/core'
import { QueryClient, type QueryKey } from '@tanstack/react-query'

const queryClientKey = Symbol('queryClient')

/** What the servers and chains of an instance answered, kept with the instance. */
export function queryClientOf(latchkey: Latchkey): QueryClient {
  return companion(latchkey, queryClientKey, () => makeClient(latchkey))
}

function makeClient(latchkey: Latchkey): QueryClient {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } } })
  // What was read before a transaction is not true after it. Those who look are told by `useKeptFresh`.
  latchkey.events.subscribe((event) => {
    if (event.type === 'transaction') void client.invalidateQueries({ predicate: isOf(event), refetchType: 'none' })
  })
  return client
}

const changing: readonly unknown[] = ['balance', 'tokens', 'nfts', 'history']

/** Whether a query is about the account of a transaction, on its chain. */
function isOf({ chainId, from }: { chainId: string; from: string }): (query: { queryKey: QueryKey }) => boolean {
  return ({ queryKey: [kind, chain, address] }) =>
    changing.includes(kind) && chain === chainId && from.endsWith(`:${String(address)}`)
}
