import { systemClock, type Clock } from '@latchkey/core'
import { LatchkeyError, type Network } from '@latchkey/protocol'
import { field } from './field.ts'

/** How long an endpoint may take, in milliseconds. */
const answerMilliseconds = 10_000

/**
 * Asks the endpoints of a network (JSON-RPC), one after the other until one answers.
 *
 * @throws LatchkeyError `rpc/unreachable`.
 */
export async function askNetwork(
  { name, rpcUrls }: Network,
  method: string,
  params: readonly unknown[],
  clock: Clock = systemClock,
): Promise<unknown> {
  let cause: unknown
  for (const url of rpcUrls.default.http) {
    const attempt = new AbortController()
    const cancel = clock.after(answerMilliseconds, () => attempt.abort())
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        signal: attempt.signal,
      })
      const answer: unknown = await response.json()
      if (response.ok && field(answer, 'error') === undefined) return field(answer, 'result')
      cause = new LatchkeyError('http/status', { status: response.status }, { cause: field(answer, 'error') })
    } catch (error) {
      cause = error
    } finally {
      cancel()
    }
  }
  throw new LatchkeyError('rpc/unreachable', { network: name }, { cause })
}
