import { httpError, configError } from '@latchkey/protocol'
import type { Latchkey } from '../instance/latchkey.ts'
import { getRetryDelay } from './retryDelay.ts'

/** The name and version that this client sends to the server. */
const sdk = { st: 'latchkey', sv: 'js-0.1.0' }
const timeoutMilliseconds = 10_000
/** A server at its limit says with `Retry-After` when to send a read again. */
const busyStatuses: readonly number[] = [429, 503]
const maxRepeats = 2

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
  const { ok, status, text } = await (body === undefined
    ? fetchUntilFree(latchkey, url, signal)
    : fetchText(latchkey, url, signal, body))
  if (ok) return parseJson(text)
  // 401: the project is unknown. 403: the project does not allow this origin.
  if (status === 401 || status === 403) latchkey.events.emit({ type: 'problem', code: 'invalid-app-configuration' })
  throw httpError('http/status', { status }, { cause: parseJson(text) })
}

type FetchedText = { ok: boolean; status: number; text: string; retryAfter: string | null }

/** Repeats a read while the server is busy. */
async function fetchUntilFree(
  latchkey: Pick<Latchkey, 'internal'>,
  url: URL,
  signal: AbortSignal | undefined,
): Promise<FetchedText> {
  const { clock } = latchkey.internal
  for (let repeats = 0; ; repeats += 1) {
    const fetched = await fetchText(latchkey, url, signal)
    if (repeats === maxRepeats || !busyStatuses.includes(fetched.status)) return fetched
    const delay = getRetryDelay(fetched.retryAfter, { now: clock.now(), random: Math.random() })
    if (delay === undefined) return fetched
    await waitFor(latchkey, delay, signal)
  }
}

/** @throws the signal's reason if it is aborted */
function waitFor(
  { internal: { clock } }: Pick<Latchkey, 'internal'>,
  milliseconds: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      cancel()
      signal?.removeEventListener('abort', end)
      if (signal?.aborted === true) reject(signal.reason)
      else resolve()
    }
    const cancel = clock.after(milliseconds, end)
    signal?.addEventListener('abort', end)
    if (signal?.aborted === true) end()
  })
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
