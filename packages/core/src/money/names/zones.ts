import { isLatchkeyError, httpError, type LatchkeyError } from '@latchkey/protocol'
import { fetchJson, serverUrl } from '../../api/fetchJson.ts'
import { defineFeature, getFeature } from '../../instance/defineFeature.ts'
import type { Latchkey } from '../../instance/latchkey.ts'

/** The name zones of a server. */
export type NameZones = {
  /** Suffixes without their dot. New names get the first one. Empty if the server issues no names. */
  readonly zones: readonly string[]
  /** The lead of the server's clock over the local clock, in seconds. */
  readonly ahead: number
}

const cachedZones = defineFeature((): { at: number; response?: Promise<NameZones> } => ({ at: 0 }))
const goodMilliseconds = 300_000

/**
 * Returns the suffixes of the server's names. Cached for five minutes.
 *
 * @throws LatchkeyError `http/status`, `http/unreachable`, `http/invalid-response`.
 */
export async function readZones(latchkey: Latchkey): Promise<NameZones> {
  if (latchkey.internal.settings.server === undefined) return { zones: [], ahead: 0 }
  const kept = getFeature(latchkey, cachedZones)
  const now = latchkey.internal.clock.now()
  if (kept.response !== undefined && Math.abs(now - kept.at) < goodMilliseconds) return kept.response
  const response = fetchZones(latchkey)
  Object.assign(kept, { at: now, response })
  // The next caller tries again.
  response.catch(() => {
    if (kept.response === response) kept.response = undefined
  })
  return response
}

/** An older server without names has no suffixes. This is not an error. */
async function fetchZones(latchkey: Pick<Latchkey, 'events' | 'internal'>): Promise<NameZones> {
  const response = await fetchJson(latchkey, serverUrl(latchkey, '/v1/profile/zones')).catch((error: unknown) => {
    if (isLatchkeyError(error, 'http/status') && error.context.status === 404) return { zones: [], now: 0 }
    throw error
  })
  if (typeof response !== 'object' || response === null || !('zones' in response) || !('now' in response))
    throw invalidZones()
  const { zones, now } = response
  if (!isTexts(zones) || typeof now !== 'number') throw invalidZones()
  return { zones, ahead: now - latchkey.internal.clock.now() / 1000 }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

function invalidZones(): LatchkeyError {
  return httpError('http/invalid-response', { subject: 'names' })
}

/**
 * Returns the suffix of the server's names with its dot, such as `.latchkey.example`, or undefined if it has none.
 *
 * @throws LatchkeyError `http/status`, `http/unreachable`, `http/invalid-response`.
 */
export async function nameSuffix(latchkey: Latchkey): Promise<string | undefined> {
  const { zones } = await readZones(latchkey)
  return zones[0] === undefined ? undefined : `.${zones[0]}`
}
