import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import type { Clock } from '../../kit/runtime/clock.ts'

/** The public keys of a remote issuer, by key id. */
export type RemoteKeySet = JWTVerifyGetKey

const freshMs = 10 * 60_000
const staleMs = 24 * 60 * 60_000
/** Minimum interval between requests that unknown key ids cause, in milliseconds, per process. */
const minIntervalMs = 60_000
const timeoutMs = 5_000
const maxBytes = 256 * 1_024

/**
 * Creates the key set (RFC 7517) of a remote issuer: an identity provider, or the auth service of another process.
 *
 * The keys are loaded again after ten minutes, and at most once a minute when a token names an unknown key. During an
 * outage, keys of the last day are still used.
 *
 * @param url returns the address of the key set; `undefined` if it is not known yet
 * @param clock the age of the keys is measured with it
 */
export function createRemoteKeySet(url: () => Promise<string | undefined>, clock: Clock): RemoteKeySet {
  let loaded: { keys: ReturnType<typeof createLocalJWKSet>; at: number } | undefined
  let requestedAt = Number.NEGATIVE_INFINITY
  let pending: Promise<void> | undefined

  async function load(): Promise<void> {
    requestedAt = clock.now()
    const keys = createLocalJWKSet(await fetchKeySet(await url()))
    loaded = { keys, at: clock.now() }
  }
  const refresh = (): Promise<void> => {
    pending ??= load().finally(() => {
      pending = undefined
    })
    return pending
  }
  const age = (): number => (loaded === undefined ? Number.POSITIVE_INFINITY : clock.now() - loaded.at)

  return async (header, token) => {
    if (loaded === undefined || age() > freshMs) {
      await refresh().catch((error: unknown) => {
        if (age() > staleMs) throw error
      })
    }
    if (loaded === undefined) throw new Error('No public keys were loaded.')
    try {
      return await loaded.keys(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || clock.now() - requestedAt < minIntervalMs) throw error
      await refresh()
      return loaded.keys(header, token)
    }
  }
}

async function fetchKeySet(url: string | undefined): Promise<JSONWebKeySet> {
  if (url === undefined) throw new Error('The address of the public keys is unknown.')
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
  const text = await response.text()
  if (!response.ok || text.length > maxBytes)
    throw new Error(`The request for public keys returned ${response.status}.`)
  // jose validates the shape.
  return JSON.parse(text) as JSONWebKeySet
}
