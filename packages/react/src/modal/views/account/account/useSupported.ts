import { supports, type Feature } from '@latchkey/core'
import { internalsOf, loadSupportedChains } from '@latchkey/core/internal'
import { useQuery } from '@tanstack/react-query'
import { useLatchkey } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { queryClientOf } from '../../../../queries/queryClient.ts'
import { useHasActed } from '../../../../queries/useHasActed.ts'

/** Returns a function that returns which features the network of the account supports. The server's list is cached for a day. */
export function useSupported(): (feature: Feature) => boolean {
  const latchkey = useLatchkey()
  const account = useAccount()
  const enabled = useHasActed()
  useQuery(
    {
      queryKey: ['served'],
      queryFn: async () => {
        await loadSupportedChains(latchkey)
        return true
      },
      enabled: enabled && internalsOf(latchkey).settings.server !== undefined,
      staleTime: Infinity,
    },
    queryClientOf(latchkey),
  )
  // On a network that the app does not know, only the address is known.
  const isKnown = account.status !== 'connected' || account.supported
  return (feature) => (isKnown || feature === 'receive') && supports(latchkey, feature, account.network)
}
