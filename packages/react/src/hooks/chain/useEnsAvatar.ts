import { getEnsAvatar, type EnsOptions } from '@latchkey/core'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useLatchkey } from '../../context.ts'
import { ensQuery } from '../../queries/ensQuery.ts'
import { queryClientOf } from '../../queries/queryClient.ts'

/**
 * Returns the picture of an ENS name, cached for five minutes.
 *
 * @param options the name, for example the `data` of `useEnsName`; nothing happens while it is null or undefined
 * @returns `data` is an https or data URL, or null if the name has no picture
 * @example const { data: avatar } = useEnsAvatar({ name: 'visitor.eth' })
 */
export function useEnsAvatar({
  name,
  chainId,
}: { name: string | null | undefined } & EnsOptions): UseQueryResult<string | null> {
  const latchkey = useLatchkey()
  return useQuery(
    ensQuery(['avatar', name, chainId], name ?? undefined, (known) => getEnsAvatar(latchkey, known, { chainId })),
    queryClientOf(latchkey),
  )
}
