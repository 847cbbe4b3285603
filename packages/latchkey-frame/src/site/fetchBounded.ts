/** Limits of the requests to a site that may be hostile. */
export type FetchLimits = {
  /** Largest response after decompression, in bytes. */
  readonly bytes: number
  /** Longest time for headers and body together, in milliseconds. */
  readonly timeoutMs: number
}

/** A response of a site, or the reason why there is none. */
export type Fetched =
  | { readonly status: number; readonly headers: Headers; readonly body: Uint8Array }
  | { readonly problem: string }

/** Limits that fit every file of a frame. */
export const defaultFetchLimits: FetchLimits = { bytes: 8 * 1_048_576, timeoutMs: 20_000 }

/** Like a browser that opens the page, so that a host can't serve tools other files just by their name. */
const browserHeaders = {
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'user-agent': 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Safari/537.36',
}

/**
 * Fetches a file of a site. Follows no redirect, so that the response comes from the site itself, and stops at the limits.
 *
 * @returns the response with its whole body, or the problem. Never rejects.
 */
export async function fetchBounded(url: URL, { bytes, timeoutMs }: FetchLimits = defaultFetchLimits): Promise<Fetched> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, { redirect: 'manual', headers: browserHeaders, signal })
    const { status, headers } = response
    if (status >= 300 && status < 400) {
      await response.body?.cancel()
      return { problem: `redirects with ${status}` }
    }
    const body = await collect(response, bytes)
    return body === undefined ? { problem: `is larger than ${bytes} bytes` } : { status, headers, body }
  } catch (error) {
    if (signal.aborted) return { problem: `did not arrive within ${timeoutMs} ms` }
    return { problem: `could not be downloaded: ${reasonOf(error)}` }
  }
}

/** Counts the bytes after decompression: a small response may expand to gigabytes. */
async function collect(response: Response, most: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = response.body?.getReader()
  while (reader !== undefined) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.length
    if (length > most) {
      await reader.cancel()
      return undefined
    }
    chunks.push(value)
  }
  return Buffer.concat(chunks)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { cause } = error
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message
}
