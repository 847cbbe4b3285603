import type { Clock } from '@latchkey/core'
import { LatchkeyError } from '@latchkey/protocol'
import { runInBackground, withResolvers, type Resolvable } from '../primitives/withResolvers.ts'
import { walletConnectError } from '../walletConnectError.ts'
import type { ResponsePayload, ResponseTarget } from './channel.ts'

/** The requests of this side that wait for a response. */
export type PendingExchanges = {
  /** Waits for the response to a request. Rejects with `request/expired` after the timeout. */
  add(request: ResponseTarget, timeoutSeconds: number): Promise<unknown>
  /** Forgets a request. Its promise never settles. */
  remove(id: number): void
  reject(id: number, error: unknown): void
  /** Settles the request of a response. Returns false if no request on that topic waits for it. */
  settle(topic: string, payload: ResponsePayload): boolean
  /** Rejects all requests, or those on a topic. */
  interrupt(error: LatchkeyError, topic?: string): void
}

type PendingExchange = Resolvable<unknown> & ResponseTarget & { cancelTimeout(): void }

/** Creates an empty set of pending exchanges. */
export function createPendingExchanges(clock: Clock): PendingExchanges {
  const pending = new Map<number, PendingExchange>()

  function take(id: number): PendingExchange | undefined {
    const exchange = pending.get(id)
    pending.delete(id)
    exchange?.cancelTimeout()
    return exchange
  }

  const reject = (id: number, error: unknown): void => take(id)?.reject(error)

  return {
    add({ topic, id, method }, timeoutSeconds) {
      const outcome = withResolvers<unknown>()
      // A caller that only sends does not observe it.
      runInBackground(outcome.promise)
      const expire = (): void => reject(id, walletConnectError('request/expired', { method }))
      pending.set(id, { ...outcome, topic, id, method, cancelTimeout: clock.after(timeoutSeconds * 1000, expire) })
      return outcome.promise
    },
    remove: (id) => void take(id),
    reject,
    settle(topic, payload) {
      // Only the topic's peer may respond: ids can be guessed.
      if (pending.get(payload.id)?.topic !== topic) return false
      const exchange = take(payload.id)
      if (payload.kind === 'result') exchange?.resolve(payload.result)
      else {
        const { code, reason } = payload
        exchange?.reject(new LatchkeyError('request/failed', { method: exchange.method, code, reason }))
      }
      return true
    },
    interrupt(error, topic) {
      for (const [id, exchange] of pending) {
        if (topic === undefined || exchange.topic === topic) reject(id, error)
      }
    },
  }
}
