import { isLatchkeyError, httpError } from '@latchkey/protocol'
import { fetchJson, serverUrl } from '../../api/fetchJson.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { isName } from './isName.ts'
import { readZones } from './zones.ts'

/** A name that is available or taken. */
export type NameSuggestion = {
  /** With its suffix. */
  readonly name: string
  readonly registered: boolean
}

/**
 * Returns the server's suggestions for an entered name: the name itself, and available names like it.
 *
 * @param typed a name without its suffix
 * @returns an empty array if the string can't be a name
 * @throws LatchkeyError `http/status`, `http/unreachable`, `http/invalid-response`.
 * @example const suggestions = await suggestNames(latchkey, 'alice')
 */
export async function suggestNames(
  latchkey: Latchkey,
  typed: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<readonly NameSuggestion[]> {
  const { zones } = await readZones(latchkey)
  if (!isName(typed) || zones[0] === undefined) return []
  const path = `/v1/profile/suggestions/${encodeURIComponent(typed.toLowerCase())}`
  const response = await fetchJson(latchkey, serverUrl(latchkey, path, { zone: zones[0] }), signal).catch(
    (error: unknown) => {
      if (isLatchkeyError(error, 'http/status') && error.context.status === 400) return { suggestions: [] }
      throw error
    },
  )
  const suggestions: unknown = Object(response).suggestions
  if (!Array.isArray(suggestions)) throw httpError('http/invalid-response', { what: 'names' })
  return suggestions.filter(isSuggestion).map(({ name, registered }) => ({ name, registered }))
}

function isSuggestion(value: unknown): value is NameSuggestion {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('registered' in value)) return false
  return typeof value.name === 'string' && typeof value.registered === 'boolean'
}
