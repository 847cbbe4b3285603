import { getIdentity, type Identity, type Latchkey } from '@latchkey/core'
import { internalsOf } from '@latchkey/core/internal'
import { parseAccountId, type AccountId } from '@latchkey/protocol'
import type { UseQueryOptions } from '@tanstack/react-query'

/** The cache time of names and avatars [R9.1.10], in milliseconds. */
const identityMilliseconds = 300_000

/** The query for the name and avatar of an address. It is disabled without a server. */
export function identityQuery(latchkey: Latchkey, account: AccountId | undefined): UseQueryOptions<Identity> {
  return {
    queryKey: ['identity', account === undefined ? undefined : parseAccountId(account).address],
    queryFn: async ({ signal }) => (account === undefined ? {} : getIdentity(latchkey, account, { signal })),
    enabled: account !== undefined && internalsOf(latchkey).settings.server !== undefined,
    staleTime: identityMilliseconds,
  }
}
