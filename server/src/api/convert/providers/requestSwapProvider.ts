import type { CircuitBreaker } from '../../../kit/limits/circuitBreaker.ts'
import { Problem } from '../../../kit/http/problem.ts'

const timeoutMs = 10_000
const responseBytes = 1024 * 1024

/**
 * Sends a request to a swap provider. Its messages are not forwarded, because they may contain the key.
 *
 * @throws Problem 400 if the provider rejects the request; Error if it is late or its circuit breaker is open
 */
export async function requestSwapProvider(
  url: URL,
  headers: Readonly<Record<string, string>>,
  breaker: CircuitBreaker,
): Promise<unknown> {
  if (!breaker.allowsRequests()) throw new Error(`${url.host} failed too often lately.`)
  let isWell = false
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json', ...headers },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch(() => {
      throw new Error(`${url.host} does not respond.`)
    })
    isWell = response.ok || response.status === 400 || response.status === 422
    if (!response.ok) {
      await response.body?.cancel()
      if (isWell) throw new Problem(400, '', 'The swap provider rejected this request.')
      throw new Error(`${url.host} responded with status ${response.status}.`)
    }
    const result = await readJsonBody(response).catch(() => undefined)
    isWell = result !== undefined
    if (result === undefined) throw new Error(`${url.host} does not respond with JSON.`)
    return result
  } finally {
    breaker.record(isWell)
  }
}

async function readJsonBody(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > responseBytes) throw new Error('It said too much.')
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}
