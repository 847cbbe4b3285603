import type { Connection } from '@latchkey/core'
import { requestFromWallet } from '@latchkey/core/internal'
import { isLatchkeyError, walletError, type LatchkeyError, requestError } from '@latchkey/protocol'

/** The codes for a method that a wallet does not have: EIP-1193, JSON-RPC, EIP-1474. */
const unsupportedCodes: readonly (number | undefined)[] = [4200, -32_601, -32_004]

/** The part of a connection that a request needs. */
type RequestTarget = Pick<Connection, 'provider' | 'wallet'>

/**
 * Sends a request for a method that not every wallet has.
 *
 * @returns plain data: reading it runs no code of the wallet
 * @throws LatchkeyError `request/not-allowed` if the wallet does not have the method
 */
export async function requestWallet(target: RequestTarget, method: string, params: unknown): Promise<unknown> {
  try {
    return toPlainData(await requestFromWallet(target, { method, params }), () => invalidCallResponse(target, method))
  } catch (error) {
    if (!isLatchkeyError(error, 'request/failed') || !unsupportedCodes.includes(error.context.code)) throw error
    throw requestError('request/not-allowed', { method }, { cause: error })
  }
}

/** Copies a response through JSON. A wallet of the page may return objects that throw or change. */
function toPlainData(response: unknown, failure: () => LatchkeyError): unknown {
  if (response === undefined) return undefined
  try {
    return JSON.parse(JSON.stringify(response))
  } catch {
    throw failure()
  }
}

/** The error for a response that a wallet should not send. */
export function invalidCallResponse({ wallet }: Pick<Connection, 'wallet'>, method: string): LatchkeyError {
  return walletError('wallet/invalid-response', { wallet: wallet.name, method })
}
