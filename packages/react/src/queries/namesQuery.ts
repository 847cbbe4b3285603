import type { Latchkey } from '@latchkey/core'
import { lookUpNames, nameSuffix, suggestNames, type NameSuggestion } from '@latchkey/core/money'
import { parseAccountId, type AccountId } from '@latchkey/protocol'
import type { UseQueryOptions } from '@tanstack/react-query'

/** Milliseconds for which names are good enough [R9.1.10]. */
const namesMilliseconds = 300_000
/** Whether a name is free may change at any time. */
const freeMilliseconds = 10_000

/** The suffix of new names, with its dot, and the names that an account has; no suffix where the server gives none. */
export type AccountNames = { readonly suffix: string | undefined; readonly names: readonly string[] }

/** Asks the server which names an account has, and what new ones end in. */
export function namesQuery(latchkey: Latchkey, account: AccountId): UseQueryOptions<AccountNames> {
  return {
    queryKey: ['names', parseAccountId(account).address],
    queryFn: async ({ signal }) => {
      const suffix = await nameSuffix(latchkey)
      const names = suffix === undefined ? [] : await lookUpNames(latchkey, account, { signal })
      return { suffix, names }
    },
    staleTime: namesMilliseconds,
  }
}

/** Asks the server whether a name is free, and for others like it. */
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
    // Names that are gone are of no use to anybody.
    gcTime: freeMilliseconds,
  }
}
