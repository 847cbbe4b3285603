import { LatchkeyError } from '@latchkey/protocol'
import type { Latchkey } from '../latchkey.ts'
import { addAlert } from '../state/notices.ts'

/** What this client calls itself to the server. */
const sdk = { st: 'latchkey', sv: 'js-0.1.0' }
const answerMilliseconds = 10_000

/** Where something of the server is, with the parameters that every call carries. */
export function serverUrl(
  latchkey: Latchkey,
  path: string,
  query: Readonly<Record<string, string | number | undefined>> = {},
): URL {
  const { server, projectId } = latchkey.settings
  if (server === undefined) throw new LatchkeyError('config/invalid', { problems: ['server: is needed for this'] })
  const url = new URL(server + path)
  for (const [name, value] of Object.entries({ ...query, projectId, ...sdk })) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url
}

/**
 * Asks the server.
 *
 * @throws LatchkeyError `http/status` for any answer that is not a success, `http/unreachable` when none came.
 */
export async function ask(latchkey: Latchkey, url: URL, signal?: AbortSignal): Promise<unknown> {
  if (latchkey.settings.projectId === undefined) addAlert(latchkey.alerts, 'project-id-not-configured')
  const bound = AbortSignal.timeout(answerMilliseconds)
  let response: Response
  try {
    response = await fetch(url, { signal: signal === undefined ? bound : AbortSignal.any([signal, bound]) })
    if (response.ok) return await response.json()
  } catch (cause) {
    throw new LatchkeyError('http/unreachable', { origin: url.origin }, { cause })
  }
  if (response.status === 403) addAlert(latchkey.alerts, 'invalid-app-configuration')
  throw new LatchkeyError('http/status', { status: response.status })
}
