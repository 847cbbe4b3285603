import { getTokens, type Latchkey } from '@latchkey/core'
import type { TokenBalance } from '@latchkey/protocol'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { companion } from '../companions.ts'
import { useLatchkey } from '../context.ts'
import { useAccount } from '../hooks/useAccount.ts'
import { holdingsMilliseconds, queryClientOf } from './queryClient.ts'

/** How long a server that failed is left in peace [R9.1.3]. */
const retryMilliseconds = 30_000

type Failure = { error: unknown; retryAt: number }

const failuresKey = Symbol('tokenFailures')

/**
 * What the connected account holds on the network it is on, as the server tells; good for 30 seconds. An empty list
 * without a server. After a failure the server is not asked again for 30 seconds: `retryAt` tells when.
 *
 * @example const { data } = useTokens()
 */
export function useTokens(): UseQueryResult<readonly TokenBalance[]> & {
  /** Milliseconds since the epoch, by the instance's clock; undefined when nothing failed. */
  retryAt: number | undefined
} {
  const latchkey = useLatchkey()
  const account = useAccount()
  const isConnected = account.status === 'connected'
  const queryKey = ['tokens', account.network?.caipNetworkId, isConnected ? account.address : undefined]
  const query = useQuery(
    {
      queryKey,
      queryFn: () => askInPeace(latchkey, queryKey.join(' ')),
      enabled: isConnected,
      staleTime: holdingsMilliseconds,
    },
    queryClientOf(latchkey),
  )
  return { ...query, retryAt: query.isError ? failuresOf(latchkey).get(queryKey.join(' '))?.retryAt : undefined }
}

function failuresOf(latchkey: Latchkey): Map<string, Failure> {
  return companion(latchkey, failuresKey, () => new Map<string, Failure>())
}

async function askInPeace(latchkey: Latchkey, key: string): Promise<readonly TokenBalance[]> {
  const failures = failuresOf(latchkey)
  const last = failures.get(key)
  if (last !== undefined && latchkey.clock.now() < last.retryAt) throw last.error
  try {
    const tokens = await getTokens(latchkey)
    failures.delete(key)
    return tokens
  } catch (error) {
    failures.set(key, { error, retryAt: latchkey.clock.now() + retryMilliseconds })
    throw error
  }
}
