import { getTokens, type AccountState, type Latchkey, companion } from '@latchkey/core'
import type { TokenBalance } from '@latchkey/protocol'
import type { UseQueryOptions } from '@tanstack/react-query'
import { holderOf, holdingsMilliseconds } from './balanceQuery.ts'

/** How long a server that failed is left in peace [R9.1.3]. */
const retryMilliseconds = 30_000

type Failure = { error: unknown; retryAt: number }

const failuresKey = Symbol('tokenFailures')

/** Asks the server what an account holds; after a failure not before 30 seconds are over, whoever wants to know. */
export function tokensQuery(latchkey: Latchkey, account: AccountState): UseQueryOptions<readonly TokenBalance[]> {
  return {
    queryKey: ['tokens', ...holderOf(account)],
    queryFn: () => askInPeace(latchkey, holderOf(account).join(' ')),
    enabled: account.status === 'connected' && account.supported,
    staleTime: holdingsMilliseconds,
  }
}

/** When the server may be asked again, in milliseconds since the epoch; undefined when it did not fail. */
export function tokensRetryAt(latchkey: Latchkey, account: AccountState): number | undefined {
  return failuresOf(latchkey).get(holderOf(account).join(' '))?.retryAt
}

function failuresOf(latchkey: Latchkey): Map<string, Failure> {
  return companion(latchkey, failuresKey, () => new Map<string, Failure>())
}

async function askInPeace(latchkey: Latchkey, holder: string): Promise<readonly TokenBalance[]> {
  const failures = failuresOf(latchkey)
  const last = failures.get(holder)
  if (last !== undefined && latchkey.clock.now() < last.retryAt) throw last.error
  try {
    const tokens = await getTokens(latchkey)
    failures.delete(holder)
    return tokens
  } catch (error) {
    failures.set(holder, { error, retryAt: latchkey.clock.now() + retryMilliseconds })
    throw error
  }
}
