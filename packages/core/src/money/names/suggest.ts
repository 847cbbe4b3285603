import { isLatchkeyError, LatchkeyError } from '@latchkey/protocol'
import { ask, serverUrl } from '../../api/ask.ts'
import type { Latchkey } from '../../latchkey.ts'
import { isName } from './nameForm.ts'
import { readZones } from './zones.ts'

/** A name that could be had, or is somebody's already. */
export type NameSuggestion = {
  /** With its suffix. */
  readonly name: string
  readonly registered: boolean
}

/**
 * What the server proposes for what somebody typed: that name itself, and free ones like it.
 *
 * @param typed a name without its suffix
 * @returns nothing for what can be no name
 * @throws LatchkeyError `http/status`, `http/unreachable`, `http/invalid-answer`.
 */
export async function suggestNames(
  latchkey: Latchkey,
  typed: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<readonly NameSuggestion[]> {
  const { zones } = await readZones(latchkey)
  if (!isName(typed) || zones[0] === undefined) return []
  const path = `/v1/profile/suggestions/${encodeURIComponent(typed.toLowerCase())}`
  const answer = await ask(latchkey, serverUrl(latchkey, path, { zone: zones[0] }), signal).catch((error: unknown) => {
    if (isLatchkeyError(error, 'http/status') && error.context.status === 400) return { suggestions: [] }
    throw error
  })
  const suggestions: unknown = Object(answer).suggestions
  if (!Array.isArray(suggestions)) throw new LatchkeyError('http/invalid-answer', { what: 'names' })
  return suggestions.filter(isSuggestion).map(({ name, registered }) => ({ name, registered }))
}

function isSuggestion(value: unknown): value is NameSuggestion {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('registered' in value)) return false
  return typeof value.name === 'string' && typeof value.registered === 'boolean'
}
