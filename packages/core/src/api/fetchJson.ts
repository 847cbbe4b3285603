import { httpError, configError } from '@latchkey/protocol'
import type { Latchkey } from '../instance/latchkey.ts'
import type { FetchedText } from './repeatRead.ts'

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
 * Sends a request to the server: GET, or POST if there is a body. A GET request to a busy server is repeated after the time
 * that the server asks for, twice at most.
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
  const fetched = await fetchText(latchkey, url, signal, body)
  const isBusy = body === undefined && fetched.retryAfter !== null
  // A server at its limit. Most pages never need this code.
  const busy = isBusy ? await import('./repeatRead.ts').catch(() => undefined) : undefined
  const { clock } = latchkey.internal
  const { ok, status, text } =
    (await busy?.repeatRead(fetched, () => fetchText(latchkey, url, signal), clock, signal)) ?? fetched
  if (ok) return parseJson(text)
  // 401: the project is unknown. 403: the project does not allow this origin.
  if (status === 401 || status === 403) latchkey.events.emit({ type: 'problem', code: 'invalid-app-configuration' })
  throw httpError('http/status', { status }, { cause: parseJson(text) })
}

async function fetchText(
  latchkey: Pick<Latchkey, 'internal'>,
  url: URL,
  signal: AbortSignal | undefined,
  body?: object,
): Promise<FetchedText> {
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
    const { ok, status, headers } = response
    return { ok, status, text: await response.text(), retryAfter: headers.get('retry-after') }
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
