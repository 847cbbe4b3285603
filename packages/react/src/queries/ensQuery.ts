import type { QueryKey, UseQueryOptions } from '@tanstack/react-query'

/** Names change rarely. The server caches them as long. */
const ensMilliseconds = 300_000

/** The query for a record of ENS. It waits while the subject is undefined. */
export function ensQuery(
  key: QueryKey,
  subject: string | undefined,
  read: (subject: string) => Promise<string | null>,
): UseQueryOptions<string | null> {
  return {
    queryKey: ['ens', ...key],
    queryFn: async () => (subject === undefined ? null : read(subject)),
    enabled: subject !== undefined,
    staleTime: ensMilliseconds,
  }
}
