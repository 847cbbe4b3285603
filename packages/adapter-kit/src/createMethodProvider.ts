import type { Clock, Provider } from '@latchkey/core'
import { walletTimeouts } from '@latchkey/core/internal'
import { type LatchkeyError, requestError } from '@latchkey/protocol'
import { MissingMethodError } from './callMethod.ts'
import { createPendingRequests } from './pendingRequests.ts'

/** The methods of a provider, by name. */
export type MethodHandlers = Readonly<Record<string, (params: unknown) => Promise<unknown>>>

/** A provider whose requests end when the wallet is gone. */
export type AbandonableProvider = Provider & {
  /** Ends all pending requests. */
  abandon(): void
}

/**
 * Creates a provider from one function per method, for wallets of the page with an API of their own. Every request
 * ends after five minutes at the latest, with `request/unknown`: the wallet may have signed.
 *
 * @param toError translates what a handler throws
 * @example createMethodProvider({ ping: async () => 'pong' }, clock, toError)
 */
export function createMethodProvider(
  handlers: MethodHandlers,
  clock: Clock,
  toError: (method: string, error: unknown) => LatchkeyError,
): AbandonableProvider {
  const pending = createPendingRequests(clock)

  async function handle(method: string, params: unknown): Promise<unknown> {
    try {
      const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined
      if (handler === undefined) throw new MissingMethodError(`There is no method ${method}.`)
      return await handler(params)
    } catch (error) {
      throw toError(method, error)
    }
  }

  return {
    request: ({ method, params }) =>
      pending.run(() => handle(method, params), {
        timeoutMs: walletTimeouts.approval,
        lost: () => requestError('request/unknown', { method }),
      }),
    abandon: pending.abandon,
  }
}
