import { companion, type Latchkey } from '@latchkey/core'
import { QueryClient } from '@tanstack/react-query'

const queryClientKey = Symbol('queryClient')

/** What the servers and chains of an instance answered, kept with the instance. */
export function queryClientOf(latchkey: Latchkey): QueryClient {
  return companion(
    latchkey,
    queryClientKey,
    () => new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } } }),
  )
}
