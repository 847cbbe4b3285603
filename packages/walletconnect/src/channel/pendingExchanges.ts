import type { Clock } from '@latchkey/core'
import { type LatchkeyError, requestError } from '@latchkey/protocol'
import { runInBackground, withResolvers, type Resolvable } from '../primitives/withResolvers.ts'
import { walletConnectError } from '../walletConnectError.ts'
import type { ResponsePayload, ResponseTarget } from './channel.ts'

/** The requests of this side that wait for a response. */
export type PendingExchanges = {
  /** Waits for the response to a request. Rejects with `request/expired` after the timeout. */
  add(request: ResponseTarget, timeoutSeconds: number): Promise<unknown>
  /** Forgets a request. Its promise never settles. */
  remove(request: RequestKey): void
  reject(request: RequestKey, error: unknown): void
  /** Settles the request of a response. Returns false if no request on that topic waits for it. */
  settle(topic: string, payload: ResponsePayload): boolean
  /** Rejects all requests, or those on a topic. */
  interrupt(error: LatchkeyError, topic?: string): void
}

/** Ids are unique within a topic only: requests of earlier pages and of other tabs have ids, too. */
type RequestKey = Pick<ResponseTarget, 'topic' | 'id'>

type PendingExchange = Resolvable<unknown> & ResponseTarget & { cancelTimeout(): void }

/** Creates an empty set of pending exchanges. */
export function createPendingExchanges(clock: Clock): PendingExchanges {
  const pending = new Map<string, PendingExchange>()

  function take(request: RequestKey): PendingExchange | undefined {
    const key = exchangeKey(request)
    const exchange = pending.get(key)
    pending.delete(key)
    exchange?.cancelTimeout()
    return exchange
  }

  const reject = (request: RequestKey, error: unknown): void => take(request)?.reject(error)

  return {
    add({ topic, id, method }, timeoutSeconds) {
      const outcome = withResolvers<unknown>()
      // A caller that only sends does not observe it.
      runInBackground(outcome.promise)
      const expire = (): void => reject({ topic, id }, walletConnectError('request/expired', { method }))
      const cancelTimeout = clock.after(timeoutSeconds * 1000, expire)
      pending.set(exchangeKey({ topic, id }), { ...outcome, topic, id, method, cancelTimeout })
      return outcome.promise
    },
    remove: (request) => void take(request),
    reject,
    settle(topic, payload) {
      // Only the topic's peer may respond: ids can be guessed.
      const exchange = take({ topic, id: payload.id })
      if (exchange === undefined) return false
      if (payload.kind === 'result') exchange.resolve(payload.result)
      else {
        const { code, reason } = payload
        exchange.reject(requestError('request/failed', { method: exchange.method, code, reason }))
      }
      return true
    },
    interrupt(error, topic) {
      for (const exchange of pending.values()) {
        if (topic === undefined || exchange.topic === topic) reject(exchange, error)
      }
    },
  }
}

function exchangeKey({ topic, id }: RequestKey): string {
  return `${topic} ${id}`
}
