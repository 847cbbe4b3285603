import type { SafeFetch, SafeRequest, SafeResponse } from '../../../kit/http/safeFetch.ts'
import { errorMessage } from '../../../kit/runtime/errorMessage.ts'
import type { PushResult } from '../pushService.ts'

/** The most bytes of a response that are read: a reason. */
const maxBytes = 16 * 1024
const maxRetryAfterMs = 60 * 60 * 1000

/**
 * Sends a request to a push service. A network error, 429 and 5xx may pass.
 *
 * @param explain gets the outcome of any other response, such as `gone`; otherwise it is `refused`
 */
export async function requestPush(
  http: Pick<SafeFetch, 'fetch'>,
  url: string,
  request: Omit<SafeRequest, 'maxBytes'>,
  explain: (response: SafeResponse) => PushResult | undefined,
): Promise<PushResult> {
  let response: SafeResponse
  try {
    response = await http.fetch(url, { ...request, method: 'POST', maxBytes })
  } catch (error) {
    return { outcome: 'failed', reason: errorMessage(error) }
  }
  const { status, retryAfter } = response
  if (status >= 200 && status < 300) return { outcome: 'sent' }
  const reason = `status ${status}`
  if (status === 429 || status >= 500) return { outcome: 'failed', reason, ...toRetryAfter(retryAfter) }
  return explain(response) ?? { outcome: 'refused', reason }
}

/** Parses `Retry-After` in seconds. Its other form, a date, depends on the clock of the service and is ignored. */
function toRetryAfter(header: string | undefined): { retryAfterMs?: number } {
  if (header === undefined || !/^\d{1,9}$/.test(header)) return {}
  return { retryAfterMs: Math.min(Number(header) * 1000, maxRetryAfterMs) }
}

/** Parses the JSON of a response. Returns an empty object for anything else. */
export function parsePushResponse({ body }: SafeResponse): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
