import { getIdentity, type Identity, type Latchkey } from '@latchkey/core'
import { parseAccountId, type AccountId } from '@latchkey/protocol'
import type { UseQueryOptions } from '@tanstack/react-query'

/** Milliseconds for which a name is good enough [R9.1.10]. */
const identityMilliseconds = 300_000

/** Asks the server who an address is; nobody is asked where there is none. */
export function identityQuery(latchkey: Latchkey, account: AccountId | undefined): UseQueryOptions<Identity> {
  return {
    queryKey: ['identity', account === undefined ? undefined : parseAccountId(account).address],
    queryFn: async ({ signal }) => (account === undefined ? {} : getIdentity(latchkey, account, { signal })),
    enabled: account !== undefined && latchkey.settings.server !== undefined,
    staleTime: identityMilliseconds,
  }
}
