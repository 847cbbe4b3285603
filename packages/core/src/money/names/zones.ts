import { isLatchkeyError, LatchkeyError } from '@latchkey/protocol'
import { ask, serverUrl } from '../../api/ask.ts'
import { companion } from '../../companion.ts'
import type { Latchkey } from '../../latchkey.ts'

/** What a server tells of the names that it gives. */
export type Zones = {
  /** Suffixes without their dot, for new names the first; none where the server gives no names. */
  readonly zones: readonly string[]
  /** How far the server's clock is ahead of ours, in seconds. */
  readonly ahead: number
}

const key = Symbol('name zones')
const goodMilliseconds = 300_000

/**
 * The suffixes of the server's names, asked for once in five minutes.
 *
 * @throws LatchkeyError `http/status`, `http/unreachable`, `http/invalid-answer`.
 */
export async function readZones(latchkey: Latchkey): Promise<Zones> {
  if (latchkey.settings.server === undefined) return { zones: [], ahead: 0 }
  const kept = companion(latchkey, key, (): { at: number; answer?: Promise<Zones> } => ({ at: 0 }))
  const now = latchkey.clock.now()
  if (kept.answer !== undefined && Math.abs(now - kept.at) < goodMilliseconds) return kept.answer
  const answer = askZones(latchkey)
  Object.assign(kept, { at: now, answer })
  // Whoever comes next asks again.
  answer.catch(() => {
    if (kept.answer === answer) kept.answer = undefined
  })
  return answer
}

/** A server from before names has none: that is no failure. */
async function askZones(latchkey: Latchkey): Promise<Zones> {
  const answer = await ask(latchkey, serverUrl(latchkey, '/v1/profile/zones')).catch((error: unknown) => {
    if (isLatchkeyError(error, 'http/status') && error.context.status === 404) return { zones: [], now: 0 }
    throw error
  })
  if (typeof answer !== 'object' || answer === null || !('zones' in answer) || !('now' in answer)) throw senseless()
  const { zones, now } = answer
  if (!isTexts(zones) || typeof now !== 'number') throw senseless()
  return { zones, ahead: now - latchkey.clock.now() / 1000 }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

function senseless(): LatchkeyError {
  return new LatchkeyError('http/invalid-answer', { what: 'names' })
}

/**
 * What names of the server end in, with their dot: `.latchkey.example`; undefined where it gives none.
 *
 * @throws LatchkeyError `http/status`, `http/unreachable`, `http/invalid-answer`.
 */
export async function nameSuffix(latchkey: Latchkey): Promise<string | undefined> {
  const { zones } = await readZones(latchkey)
  return zones[0] === undefined ? undefined : `.${zones[0]}`
}
