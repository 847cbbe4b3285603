import { httpError, configError } from '@latchkey/protocol'
import type { Latchkey } from '../instance/latchkey.ts'

/** The name and version that this client sends to the server. */
const sdk = { st: 'latchkey', sv: 'js-0.1.0' }
const timeoutMilliseconds = 10_000

/** Builds a URL of the server with the parameters that every request carries. */
export function serverUrl(
  latchkey: Pick<Latchkey, 'internal'>,
  path: string,
  query: Readonly<Record<string, string | number | undefined>> = {},
): URL {
  const { server, projectId } = latchkey.internal.settings
  if (server === undefined) throw configError('config/invalid', { problems: ['server: is needed for this'] })
  const url = new URL(server + path)
  for (const [name, value] of Object.entries({ ...query, projectId, ...sdk })) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url
}

/**
 * Sends a request to the server: GET, or POST if there is a body.
 *
 * @param body the JSON body of a POST request
 * @returns the unverified JSON of the response; undefined if it is not JSON
 * @throws LatchkeyError `http/status` for an unsuccessful response, with its body as the cause; `http/unreachable` if
 * there is no response within ten seconds; the signal's reason if it was aborted
 */
export async function fetchJson(
  latchkey: Pick<Latchkey, 'events' | 'internal'>,
  url: URL,
  signal?: AbortSignal,
  body?: object,
): Promise<unknown> {
  if (latchkey.internal.settings.projectId === undefined)
    latchkey.events.emit({ type: 'problem', code: 'project-id-not-configured' })
  const { ok, status, text } = await fetchText(latchkey, url, signal, body)
  if (ok) return parseJson(text)
  // 401: the project is unknown. 403: the project does not allow this origin.
  if (status === 401 || status === 403) latchkey.events.emit({ type: 'problem', code: 'invalid-app-configuration' })
  throw httpError('http/status', { status }, { cause: parseJson(text) })
}

async function fetchText(
  latchkey: Pick<Latchkey, 'internal'>,
  url: URL,
  signal: AbortSignal | undefined,
  body: object | undefined,
): Promise<{ ok: boolean; status: number; text: string }> {
  const bound = new AbortController()
  const cancel = latchkey.internal.clock.after(timeoutMilliseconds, () => bound.abort())
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
    throw httpError('http/unreachable', { origin: url.origin }, { cause })
  } finally {
    cancel()
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
