import { getTokens, type AccountState, type Latchkey } from '@latchkey/core'
import { defineFeature, getFeature, internalsOf } from '@latchkey/core/internal'
import type { TokenBalance } from '@latchkey/protocol'
import type { UseQueryOptions } from '@tanstack/react-query'
import { holderOf, holdingsMilliseconds } from './balanceQuery.ts'

/** Delay after a failure of the server [R9.1.3], in milliseconds. */
const retryMilliseconds = 30_000

type Failure = { error: unknown; retryAt: number }

const tokenFailures = defineFeature(() => new Map<string, Failure>())

/** The query for the tokens of an account. After a failure, all components wait 30 seconds for the next request. */
export function tokensQuery(latchkey: Latchkey, account: AccountState): UseQueryOptions<readonly TokenBalance[]> {
  return {
    queryKey: ['tokens', ...holderOf(account)],
    queryFn: () => readTokensWithPause(latchkey, holderOf(account).join(' ')),
    enabled: account.status === 'connected' && account.supported,
    staleTime: holdingsMilliseconds,
  }
}

/** Returns the time of the next allowed request, in milliseconds since 1970, or `undefined` without a failure. */
export function tokensRetryAt(latchkey: Latchkey, account: AccountState): number | undefined {
  return failuresOf(latchkey).get(holderOf(account).join(' '))?.retryAt
}

function failuresOf(latchkey: Latchkey): Map<string, Failure> {
  return getFeature(latchkey, tokenFailures)
}

async function readTokensWithPause(latchkey: Latchkey, holder: string): Promise<readonly TokenBalance[]> {
  const failures = failuresOf(latchkey)
  const last = failures.get(holder)
  if (last !== undefined && internalsOf(latchkey).clock.now() < last.retryAt) throw last.error
  try {
    const tokens = await getTokens(latchkey)
    failures.delete(holder)
    return tokens
  } catch (error) {
    failures.set(holder, { error, retryAt: internalsOf(latchkey).clock.now() + retryMilliseconds })
    throw error
  }
}
