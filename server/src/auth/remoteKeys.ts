import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import type { Clock } from '../kit/clock.ts'

const freshMs = 10 * 60_000
const staleMs = 24 * 60 * 60_000
/** A token may name a key that there is not: nobody makes us ask more often than this by it. */
const pauseMs = 60_000
const patienceMs = 5_000
const mostBytes = 256 * 1_024

/**
 * The public keys of who signs tokens elsewhere: a provider, or the auth service of another process. They are asked for again after ten minutes, or when a token names one that is not among
 * them, once a minute at most; while nobody answers, those of the last day are good.
 *
 * @param url where the keys are
 */
export function createRemoteKeys(url: () => Promise<string | undefined>, clock: Clock): JWTVerifyGetKey {
  let known: { keys: ReturnType<typeof createLocalJWKSet>; at: number } | undefined
  let askedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | undefined

  async function ask(): Promise<void> {
    askedAt = clock.now()
    const keys = createLocalJWKSet(await load(await url()))
    known = { keys, at: clock.now() }
  }
  const refresh = (): Promise<void> => {
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return asking
  }
  const age = (): number => (known === undefined ? Number.POSITIVE_INFINITY : clock.now() - known.at)

  return async (header, token) => {
    if (known === undefined || age() > freshMs) {
      await refresh().catch((error: unknown) => {
        if (age() > staleMs) throw error
      })
    }
    if (known === undefined) throw new Error('No keys were told.')
    try {
      return await known.keys(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || clock.now() - askedAt < pauseMs) throw error
      await refresh()
      return known.keys(header, token)
    }
  }
}

async function load(url: string | undefined): Promise<JSONWebKeySet> {
  if (url === undefined) throw new Error('Where the keys are is not said.')
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(patienceMs) })
  const text = await response.text()
  if (!response.ok || text.length > mostBytes) throw new Error(`The keys were answered with ${response.status}.`)
  // The library checks the form.
  return JSON.parse(text) as JSONWebKeySet
}
