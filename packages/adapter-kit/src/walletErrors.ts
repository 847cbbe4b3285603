import {
  getField,
  isLatchkeyError,
  type LatchkeyError,
  requestError,
  connectionError,
  walletError,
} from '@latchkey/protocol'
import { tryOrUndefined } from './tryOrUndefined.ts'

const longestReason = 200
/** Longer strings are not parsed. */
const longestThrown = 10_000

/** The codes for a method that a wallet does not have: EIP-1193, JSON-RPC. */
export const unsupportedMethodCodes: readonly (number | undefined)[] = [4200, -32_601]

/** The rules by which an adapter reads the errors of its wallets. */
export type WalletErrorRules = {
  /** The code of the error; its own `code` field by default. */
  code?: unknown
  /** The codes that mean that the user declined; 4001 (EIP-1193) by default. */
  rejectionCodes?: readonly unknown[]
  /** The messages that mean that the user declined, for wallets that throw no code. */
  rejectionPattern: RegExp
}

/**
 * Returns the error that a wallet threw as an object. Some wallets throw strings, or an error with its JSON as the
 * message: `'{"code":4001,"message":"User Rejected Request"}'`.
 *
 * @returns the error itself, the object in its string, or its string as a `message`
 * @example getField(parseThrown('{"code":4001}'), 'code') // 4001
 */
export function parseThrown(error: unknown): unknown {
  const text = typeof error === 'string' ? error : getField(error, 'message')
  if (typeof text === 'string' && text.startsWith('{') && text.length <= longestThrown) {
    const parsed: unknown = tryOrUndefined(() => JSON.parse(text))
    if (getField(parsed, 'code') !== undefined || getField(parsed, 'message') !== undefined) return parsed
  }
  return typeof error === 'string' ? { message: error } : error
}

/**
 * The message of an error that a wallet threw, short enough to show.
 *
 * @example getErrorReason(new Error('Insufficient funds')) // 'Insufficient funds'
 */
export function getErrorReason(error: unknown): string {
  const message = getField(parseThrown(error), 'message')
  return typeof message === 'string' && message !== '' ? message.slice(0, longestReason) : 'it gave no reason'
}

/**
 * Translates an error that a wallet threw during a request. A LatchkeyError is returned as it is.
 *
 * @returns LatchkeyError `request/rejected` if the user declined, `request/failed` otherwise
 * @example throw toRequestError('signMessage', error, { rejectionPattern: /user rejected/i })
 */
export function toRequestError(method: string, cause: unknown, rules: WalletErrorRules): LatchkeyError {
  if (isLatchkeyError(cause)) return cause
  const { code = getField(parseThrown(cause), 'code'), rejectionCodes = [4001], rejectionPattern } = rules
  const reason = getErrorReason(cause)
  if (rejectionCodes.includes(code) || rejectionPattern.test(reason)) {
    return requestError('request/rejected', { method }, { cause })
  }
  const context = { method, code: typeof code === 'number' ? code : undefined, reason }
  return requestError('request/failed', context, { cause })
}

/**
 * Translates a request error that occurred while connecting. The user asked for a connection and does not know about the
 * request behind it.
 *
 * @returns LatchkeyError `connection/rejected` or `wallet/unavailable`; any other error as it is
 * @example throw toConnectionError(error, 'Example Wallet')
 */
export function toConnectionError(error: unknown, wallet: string): unknown {
  if (isLatchkeyError(error, 'request/rejected')) {
    return connectionError('connection/rejected', { wallet }, { cause: error.cause })
  }
  if (isLatchkeyError(error, 'request/unknown')) {
    return walletError('wallet/unavailable', { wallet }, { cause: error })
  }
  return error
}

/**
 * The error for request parameters that an adapter can't use (JSON-RPC, code -32602).
 *
 * @param needed what the parameters lack: `a message`
 * @example throw invalidParams('a message')
 */
export function invalidParams(needed: string): Error {
  return Object.assign(new Error(`Invalid parameters: ${needed} is needed.`), { code: -32_602 })
}
