import type { Clock } from '@latchkey/core'
import type { LatchkeyError } from '@latchkey/protocol'

/** The limits of one request. */
export type RequestLimits = {
  timeoutMs: number
  /** Makes the error for a request that timed out or was abandoned. */
  lost(): LatchkeyError
}

/** The requests to one wallet that have no response yet. */
export type PendingRequests = {
  /**
   * Sends a request. It always ends: with the wallet's response or error, or with the error of `lost`.
   */
  run<result>(request: () => Promise<result>, limits: RequestLimits): Promise<result>
  /** Ends all pending requests, because the wallet is gone. */
  abandon(): void
}

/**
 * Keeps track of the requests to one wallet, so that a wallet that disappears leaves none of them waiting.
 *
 * @example
 * const pending = createPendingRequests(clock)
 * await pending.run(() => provider.request(args), { timeoutMs: 10_000, lost: () => lostError })
 */
export function createPendingRequests(clock: Clock): PendingRequests {
  const pending = new Set<() => void>()
  return {
    run(request, { timeoutMs, lost }) {
      return new Promise((resolve, reject) => {
        const end = (): void => settle(() => reject(lost()))
        const cancel = clock.after(timeoutMs, end)
        const settle = (act: () => void): void => {
          cancel()
          pending.delete(end)
          act()
        }
        pending.add(end)
        request().then(
          (response) => settle(() => resolve(response)),
          (error: unknown) => settle(() => reject(error)),
        )
      })
    },
    abandon() {
      for (const end of pending) end()
    },
  }
}
