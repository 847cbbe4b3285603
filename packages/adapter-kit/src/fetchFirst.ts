import { systemClock, type Clock } from '@latchkey/core'
import { isLatchkeyError, type Network, networkError } from '@latchkey/protocol'

const timeoutMs = 10_000

/**
 * Asks the endpoints of a network in order until one responds.
 *
 * @param attempt asks one endpoint. A LatchkeyError `rpc/failed` ends the search; any other error tries the next one.
 * @throws LatchkeyError `rpc/unreachable` if no endpoint responded, with the last error as its cause
 * @example fetchFirst(network, clock, async (url, signal) => (await fetch(url, { signal })).json())
 */
export async function fetchFirst<result>(
  { name, rpcUrls }: Network,
  clock: Clock = systemClock,
  attempt: (url: string, signal: AbortSignal) => Promise<result>,
): Promise<result> {
  let cause: unknown
  for (const url of rpcUrls.default.http) {
    const controller = new AbortController()
    const cancel = clock.after(timeoutMs, () => controller.abort())
    try {
      return await attempt(url, controller.signal)
    } catch (error) {
      if (isLatchkeyError(error, 'rpc/failed')) throw error
      cause = error
    } finally {
      cancel()
    }
  }
  throw networkError('rpc/unreachable', { network: name }, { cause })
}
