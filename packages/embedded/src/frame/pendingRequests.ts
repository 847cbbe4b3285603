import type { Clock } from '@latchkey/core'
import {
  frameRequest,
  LatchkeyError,
  type FrameMessage,
  type FrameRequestName,
  type FrameRequests,
  type FrameErrorDetails,
  walletError,
} from '@latchkey/protocol'
import { embeddedError } from '../embeddedError.ts'
import type { FramePort } from './framePort.ts'

export type FrameRequestOptions = {
  /** Timeout of the request. Default: until the signal aborts. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  /** True if the timeout pauses while the frame shows a screen. */
  readonly pausesWhileShown?: boolean
  /** True if the user has to approve the request. `abandon` then rejects it. */
  readonly needsApproval?: boolean
}

/** Thrown for an error response. The caller knows its meaning. */
export class FrameRefusedError extends Error {
  readonly refusal: number | undefined
  readonly localizedMessage: string | undefined
  constructor(message: string, { code, localizedMessage }: FrameErrorDetails) {
    super(message)
    this.refusal = code
    this.localizedMessage = localizedMessage
  }
}

/** Converts a refusal that has no more specific meaning. */
export function toLoginError(error: FrameRefusedError): LatchkeyError {
  const { message: reason, localizedMessage } = error
  return embeddedError(
    'embedded/failed',
    { reason, ...(localizedMessage !== undefined && { localizedMessage }) },
    { cause: error },
  )
}

/** Requests without a response. */
export type PendingRequests = {
  /**
   * Sends a request and waits for its response.
   *
   * @throws FrameRefusedError if the frame refuses
   * @throws LatchkeyError `embedded/timeout`, `connection/aborted`, `request/rejected`, `wallet/invalid-response`, and
   *   the error passed to `end`
   */
  put<name extends FrameRequestName>(
    port: FramePort,
    name: name,
    payload: FrameRequests[name]['payload'],
    options: FrameRequestOptions,
  ): Promise<FrameRequests[name]['response']>
  /** Passes a response to its request. */
  settle(message: Exclude<FrameMessage, { kind: 'event' }>): void
  /** Rejects the requests that need an approval. */
  abandon(): void
  /** Reports whether the frame shows a screen. */
  show(isOpen: boolean): void
  /** Rejects all requests. */
  end(error: Error): void
}

type PendingRequest = {
  readonly name: FrameRequestName
  readonly needsApproval: boolean
  resolve(response: unknown): void
  reject(error: Error): void
  /** Rejects, and aborts the request in the frame. */
  fail(error: Error): void
}

/**
 * @param clock measures the timeouts
 * @param origin origin of the frame, for error messages
 */
export function createPendingRequests(clock: Clock, origin: string): PendingRequests {
  const requests = new Map<string, PendingRequest>()
  const timeouts = createTimeouts(clock)

  return {
    put: (port, name, payload, options) =>
      // `settle` resolves it with a response that was parsed for this name.
      new Promise<never>((resolve, reject) => {
        const id = crypto.randomUUID()
        const fail = (error: Error): void => {
          requests.get(id)?.reject(error)
          postSilently(port, frameRequest('RPC_ABORT', crypto.randomUUID(), { id }))
        }
        const stop = timeouts.watch(options, fail)
        const end = (): void => {
          stop()
          requests.delete(id)
        }
        requests.set(id, {
          name,
          needsApproval: options.needsApproval === true,
          resolve: (response) => (end(), resolve(response as never)),
          reject: (error) => (end(), reject(error)),
          fail,
        })
        try {
          port.post(frameRequest(name, id, payload))
        } catch (error) {
          end()
          reject(error)
        }
      }),
    settle(message) {
      const request = requests.get(message.id)
      // A late or unrequested response.
      if (request === undefined || request.name !== message.name) return
      if (message.kind === 'response') return request.resolve(message.payload)
      if (message.kind === 'error') return request.reject(new FrameRefusedError(message.message, message))
      request.reject(walletError('wallet/invalid-response', { wallet: origin, method: message.name }))
    },
    abandon() {
      for (const request of [...requests.values()].filter(({ needsApproval }) => needsApproval)) {
        // The sentence is fixed by the specification [R8.2.8].
        const sentence = 'Request was aborted'
        request.fail(new LatchkeyError('request/rejected', { method: request.name }, { sentence }))
      }
    },
    show: timeouts.show,
    end(error) {
      for (const request of requests.values()) request.reject(error)
    },
  }
}

/** Timeouts of requests. Those of logins pause while the frame shows a screen. */
type Timeouts = {
  /** Calls `fail` on timeout or abort. Returns a function that stops watching. */
  watch(options: FrameRequestOptions, fail: PendingRequest['fail']): () => void
  show(isOpen: boolean): void
}

function createTimeouts(clock: Clock): Timeouts {
  /** Requests that expired while a screen was shown. Their time starts again when it closes. */
  const paused = new Set<() => void>()
  let isShown = false
  return {
    watch({ timeoutMs, signal, pausesWhileShown }, fail) {
      let cancel = (): void => {}
      const start = (): void => {
        paused.delete(start)
        if (timeoutMs !== undefined) cancel = clock.after(timeoutMs, expire)
      }
      const expire = (): void => {
        if (pausesWhileShown === true && isShown) paused.add(start)
        else fail(embeddedError('embedded/timeout', {}))
      }
      const abort = (): void => fail(createAbortError())
      signal?.addEventListener('abort', abort, { once: true })
      start()
      return () => {
        cancel()
        paused.delete(start)
        signal?.removeEventListener('abort', abort)
      }
    },
    show(isOpen) {
      isShown = isOpen
      if (!isOpen) for (const start of paused) start()
    },
  }
}

/** Creates the error of a request that the page aborted [R8.2.8]. */
export function createAbortError(): LatchkeyError {
  return new LatchkeyError('connection/aborted', {}, { sentence: 'Something went wrong' })
}

/** Sends a message without a response. Ignores a missing frame. */
function postSilently(port: FramePort, message: { readonly type: string }): void {
  try {
    port.post(message)
  } catch {
    // The frame is gone, and its requests with it.
  }
}
