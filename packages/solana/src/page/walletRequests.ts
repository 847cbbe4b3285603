import { createPendingRequests, toRequestError } from '@latchkey/adapter-kit'
import type { Clock } from '@latchkey/core'
import { walletTimeouts } from '@latchkey/core/internal'
import { walletError, type LatchkeyError, requestError } from '@latchkey/protocol'

/** One request to a wallet of the page. */
export type WalletRequest<result> = {
  /** The name of the method, for errors. */
  method: string
  /** Calls the wallet. */
  send(): unknown
  /** Parses the response; throws if it is invalid. */
  parse(response: unknown): result
}

/** Sends requests to one wallet. Every request ends: with a response or with a LatchkeyError. */
export type WalletRequests = {
  /** Sends a request without effect. A late wallet is `wallet/unavailable`. */
  read<result>(request: WalletRequest<result>): Promise<result>
  /** Sends a request that needs an approval. A late wallet is `request/unknown`: it may have signed. */
  approve<result>(request: WalletRequest<result>): Promise<result>
  /** Ends all pending requests, and refuses all later ones, because the wallet is gone. */
  abandon(): void
}

/** Words with which wallets report that the user declined, if they throw no code. */
const rejectionPattern = /\b(user )?(reject|declin|denied|cancel)/i

/** Creates the requests to one wallet, with time limits and the errors of Latchkey. */
export function createWalletRequests(wallet: string, clock: Clock): WalletRequests {
  const pending = createPendingRequests(clock)
  let isGone = false
  const unavailable = (): LatchkeyError => walletError('wallet/unavailable', { wallet })

  async function run<result>(
    { method, send, parse }: WalletRequest<result>,
    timeoutMs: number,
    lost: () => LatchkeyError,
  ): Promise<result> {
    if (isGone) throw unavailable()
    let response: unknown
    try {
      response = await pending.run(async () => send(), { timeoutMs, lost })
    } catch (error) {
      throw toRequestError(method, error, { rejectionPattern })
    }
    try {
      return parse(response)
    } catch (cause) {
      throw walletError('wallet/invalid-response', { wallet, method }, { cause })
    }
  }

  return {
    read: (request) => run(request, walletTimeouts.read, unavailable),
    approve: (request) =>
      run(request, walletTimeouts.approval, () => requestError('request/unknown', { method: request.method })),
    abandon() {
      isGone = true
      pending.abandon()
    },
  }
}
