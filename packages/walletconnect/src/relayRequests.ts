import type { Clock } from '@latchkey/core'
import { LatchkeyError } from '@latchkey/protocol'
import { walletConnectError } from './errors.ts'
import { relayRequestId, requestFrame, type RelayFrame } from './relayFrames.ts'
import { withResolvers } from './promise.ts'

export type RelayRequestOptions = {
  /** How long an answer is waited for, over reconnects, in seconds. */
  within: number
  /** Give up when the connection is lost, instead of asking again on the next. */
  once?: boolean
  /** Called each time the request leaves. */
  onSent?(): void
}

/** A request that the relay has not answered yet. */
export type RelayRequest = {
  readonly frame: string
  readonly method: string
  readonly options: RelayRequestOptions
  sent: boolean
  resolve(result: unknown): void
  reject(error: unknown): void
  cancelDeadline(): void
  cancelPatience(): void
}

/** The requests under way, over all connections. */
export type RelayRequests = {
  readonly size: number
  /** Keeps a new request until it is answered, refused or too late. */
  add(method: string, params: object, options: RelayRequestOptions): { request: RelayRequest; answer: Promise<unknown> }
  all(): readonly RelayRequest[]
  /** Hands an answer to whoever asked. */
  answer(frame: Exclude<RelayFrame, { kind: 'request' }>): void
  /** The connection is gone: ends what was to be asked only once, keeps the others for the next. */
  interrupt(): void
  /** Ends all of them. */
  rejectAll(error: LatchkeyError): void
}

/** Makes an empty list; `onEnd` is called after each request that ended, however it did. */
export function createRelayRequests(clock: Clock, origin: string, onEnd: () => void): RelayRequests {
  const requests = new Map<string, RelayRequest>()
  const unreachable = (): LatchkeyError => walletConnectError('relay/unreachable', { origin })

  function take(id: string): RelayRequest | undefined {
    const request = requests.get(id)
    requests.delete(id)
    request?.cancelDeadline()
    request?.cancelPatience()
    return request
  }

  function expire(id: string): void {
    take(id)?.reject(unreachable())
    onEnd()
  }

  return {
    get size() {
      return requests.size
    },
    add(method, params, options) {
      const id = relayRequestId(clock.now())
      const { promise, resolve, reject } = withResolvers<unknown>()
      const request: RelayRequest = {
        frame: requestFrame(id, method, params),
        method,
        options,
        sent: false,
        resolve,
        reject,
        cancelDeadline: clock.after(options.within * 1000, () => expire(id)),
        cancelPatience: () => {},
      }
      requests.set(id, request)
      return { request, answer: promise }
    },
    all: () => [...requests.values()],
    answer(frame) {
      const request = take(frame.id)
      if (request === undefined) return
      if (frame.kind === 'result') request.resolve(frame.result)
      else {
        const { code, message: reason } = frame
        request.reject(new LatchkeyError('request/failed', { method: request.method, code, reason }))
      }
      onEnd()
    },
    interrupt() {
      for (const [id, request] of requests) {
        request.cancelPatience()
        if (request.sent && request.options.once === true) take(id)?.reject(unreachable())
      }
    },
    rejectAll(error) {
      for (const id of requests.keys()) take(id)?.reject(error)
    },
  }
}
