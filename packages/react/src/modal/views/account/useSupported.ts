import { learnServed, supports, type Feature } from '@latchkey/core'
import { useQuery } from '@tanstack/react-query'
import { useLatchkey } from '../../../context.ts'
import { useAccount } from '../../../hooks/useAccount.ts'
import { queryClientOf } from '../../../queries/queryClient.ts'
import { useActed } from '../../../queries/useActed.ts'

/** What is to be shown on the network of the account; the server is asked once a day which ones it reads. */
export function useSupported(): (feature: Feature) => boolean {
  const latchkey = useLatchkey()
  const account = useAccount()
  const enabled = useActed()
  useQuery(
    {
      queryKey: ['served'],
      queryFn: async () => {
        await learnServed(latchkey)
        return true
      },
      enabled: enabled && latchkey.settings.server !== undefined,
      staleTime: Infinity,
    },
    queryClientOf(latchkey),
  )
  // Of a network that the app does not know only the address is known.
  const isKnown = account.status !== 'connected' || account.supported
  return (feature) => (isKnown || feature === 'receive') && supports(latchkey, feature, account.network)
}
