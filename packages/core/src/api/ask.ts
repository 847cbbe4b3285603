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
 * Asks the server, or tells it something.
 *
 * @param body what it is told, as JSON; it is only asked when left out
 * @returns the answer's JSON, not yet checked; undefined when it is no JSON
 * @throws LatchkeyError `http/status` for any answer that is not a success, with what it says as its cause,
 *   `http/unreachable` when none came within ten seconds; the signal's reason when it was aborted.
 */
export async function ask(latchkey: Latchkey, url: URL, signal?: AbortSignal, body?: object): Promise<unknown> {
  if (latchkey.settings.projectId === undefined) addAlert(latchkey.alerts, 'project-id-not-configured')
  const { ok, status, text } = await load(latchkey, url, signal, body)
  if (ok) return parse(text)
  if (status === 403) addAlert(latchkey.alerts, 'invalid-app-configuration')
  throw new LatchkeyError('http/status', { status }, { cause: parse(text) })
}

async function load(
  latchkey: Latchkey,
  url: URL,
  signal: AbortSignal | undefined,
  body: object | undefined,
): Promise<{ ok: boolean; status: number; text: string }> {
  const bound = new AbortController()
  const cancel = latchkey.clock.after(answerMilliseconds, () => bound.abort())
  try {
    const response = await fetch(url, {
      ...(body !== undefined && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
      signal: AbortSignal.any([bound.signal, ...(signal === undefined ? [] : [signal])]),
    })
    return { ok: response.ok, status: response.status, text: await response.text() }
  } catch (cause) {
    signal?.throwIfAborted()
    throw new LatchkeyError('http/unreachable', { origin: url.origin }, { cause })
  } finally {
    cancel()
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
