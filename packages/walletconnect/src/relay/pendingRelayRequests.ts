import type { Clock } from '@latchkey/core'
import { type LatchkeyError, requestError } from '@latchkey/protocol'
import { walletConnectError } from '../walletConnectError.ts'
import { createRelayRequestId, formatRequestFrame, type RelayFrame } from './relayFrame.ts'
import { withResolvers } from '../primitives/withResolvers.ts'

export type RelayRequestOptions = {
  /** Timeout of the response, across reconnects, in seconds. */
  timeoutSeconds: number
  /** Reject when the connection is lost, instead of sending again on the next. */
  isSentOnce?: boolean
  /** Called each time the request is sent. */
  onSent?(): void
}

/** A request without a response so far. */
export type PendingRelayRequest = {
  readonly frame: string
  readonly method: string
  readonly options: RelayRequestOptions
  isSent: boolean
  resolve(result: unknown): void
  reject(error: unknown): void
  cancelDeadline(): void
  cancelResponseTimeout(): void
}

/** The pending requests, across connections. */
export type PendingRelayRequests = {
  readonly size: number
  /** Adds a request until it has a response, is refused or times out. */
  add(
    method: string,
    params: object,
    options: RelayRequestOptions,
  ): { request: PendingRelayRequest; response: Promise<unknown> }
  list(): readonly PendingRelayRequest[]
  /** Settles the request of a response. Ignores unknown ids. */
  settle(frame: Exclude<RelayFrame, { kind: 'request' }>): void
  /** Handles a lost connection: rejects requests that are sent only once, and keeps the others for the next connection. */
  interrupt(): void
  rejectAll(error: LatchkeyError): void
}

/** @param onEnd called after each request that ended */
export function createPendingRelayRequests(clock: Clock, origin: string, onEnd: () => void): PendingRelayRequests {
  const requests = new Map<string, PendingRelayRequest>()
  const unreachable = (): LatchkeyError => walletConnectError('relay/unreachable', { origin })

  function take(id: string): PendingRelayRequest | undefined {
    const request = requests.get(id)
    requests.delete(id)
    request?.cancelDeadline()
    request?.cancelResponseTimeout()
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
      const id = createRelayRequestId(clock.now())
      const { promise, resolve, reject } = withResolvers<unknown>()
      const request: PendingRelayRequest = {
        frame: formatRequestFrame(id, method, params),
        method,
        options,
        isSent: false,
        resolve,
        reject,
        cancelDeadline: clock.after(options.timeoutSeconds * 1000, () => expire(id)),
        cancelResponseTimeout: () => {},
      }
      requests.set(id, request)
      return { request, response: promise }
    },
    list: () => [...requests.values()],
    settle(frame) {
      const request = take(frame.id)
      if (request === undefined) return
      if (frame.kind === 'result') request.resolve(frame.result)
      else {
        const { code, message: reason } = frame
        request.reject(requestError('request/failed', { method: request.method, code, reason }))
      }
      onEnd()
    },
    interrupt() {
      for (const [id, request] of requests) {
        request.cancelResponseTimeout()
        if (request.isSent && request.options.isSentOnce === true) take(id)?.reject(unreachable())
      }
    },
    rejectAll(error) {
      for (const id of requests.keys()) take(id)?.reject(error)
    },
  }
}
