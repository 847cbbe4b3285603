import type { Latchkey } from '@latchkey/core'
import { nameSuffix } from '@latchkey/core/internal'
import { getNameExpiry, listNameOffers, listNames, suggestNames, type NameSuggestion } from '@latchkey/core/money'
import { parseAccountId, type AccountId } from '@latchkey/protocol'
import type { UseQueryOptions } from '@tanstack/react-query'

/** The cache time of names [R9.1.10], in milliseconds. */
const namesMilliseconds = 300_000
/** Availability can change at any time, so it is cached briefly. */
const freeMilliseconds = 10_000

/** The suffix of new names with its dot, and the names of an account. The suffix is undefined if the server issues no names. */
export type AccountNames = { readonly suffix: string | undefined; readonly names: readonly string[] }

/** The query for the names of an account and the suffix of new ones. */
export function namesQuery(latchkey: Latchkey, account: AccountId): UseQueryOptions<AccountNames> {
  return {
    queryKey: ['names', parseAccountId(account).address],
    queryFn: async ({ signal }) => {
      const suffix = await nameSuffix(latchkey)
      const names = suffix === undefined ? [] : await listNames(latchkey, account, { signal })
      return { suffix, names }
    },
    staleTime: namesMilliseconds,
  }
}

/** The query for the names that are offered to an account. */
export function nameOffersQuery(latchkey: Latchkey, account: AccountId): UseQueryOptions<readonly string[]> {
  return {
    queryKey: ['name-offers', parseAccountId(account).address],
    queryFn: ({ signal }) => listNameOffers(latchkey, account, { signal }),
    staleTime: freeMilliseconds,
  }
}

/** The query for the time at which a name expires, in milliseconds. It is null if the server reports none. */
export function nameExpiryQuery(latchkey: Latchkey, name: string): UseQueryOptions<number | null> {
  return {
    queryKey: ['name-expiry', name],
    queryFn: async ({ signal }) => (await getNameExpiry(latchkey, name, { signal })) ?? null,
    staleTime: namesMilliseconds,
  }
}

/** The query for the availability of a name, and for suggestions. */
export function suggestionsQuery(
  latchkey: Latchkey,
  typed: string,
  enabled: boolean,
): UseQueryOptions<readonly NameSuggestion[]> {
  return {
    queryKey: ['name-suggestions', typed],
    queryFn: ({ signal }) => suggestNames(latchkey, typed, { signal }),
    enabled,
    staleTime: freeMilliseconds,
    // Outdated availability is of no use.
    gcTime: freeMilliseconds,
  }
}
