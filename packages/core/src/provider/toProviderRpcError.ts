import { getField, isLatchkeyError, type LatchkeyError } from '@latchkey/protocol'

/** An error of EIP-1193. Its `cause` is the `LatchkeyError`. */
export type ProviderRpcError = Error & {
  readonly code: number
  /** The code of Latchkey, and the data of the wallet or node, such as the encoded reason of a revert. */
  readonly data: { readonly code: string; readonly data?: unknown }
}

/** JSON-RPC 2.0: internal error, for errors without a number. */
const internalError = -32_603

/** The numbers of EIP-1193 and JSON-RPC 2.0. 4100 means that the user did not authorise the request. */
const errorNumbers: Readonly<Record<string, number>> = {
  'account/not-found': 4100,
  'caip/invalid': -32_602,
  'client/closed': 4900,
  // A user who closes the modal declines, too.
  'connection/aborted': 4001,
  'connection/not-connected': 4900,
  'connection/rejected': 4001,
  'namespace/not-configured': 4100,
  'network/add-refused': 4902,
  'network/not-found': 4901,
  'network/unsupported': 4901,
  'relay/refused': 4900,
  'relay/unreachable': 4900,
  'request/not-allowed': 4200,
  'request/rejected': 4001,
  'session/ended': 4900,
  'session/not-found': 4900,
  'wallet/locked': 4100,
  'wallet/no-accounts': 4100,
  'wallet/unavailable': 4900,
}

/**
 * Converts an error of Latchkey to one that libraries for EIP-1193 recognise.
 *
 * @param error any caught value
 * @returns an error with a number as `code`; other values unchanged
 */
export function toProviderRpcError(error: unknown): unknown {
  if (!isLatchkeyError(error)) return error
  const data = getField(error.cause, 'data')
  return createProviderRpcError(error, data === undefined ? { code: error.code } : { code: error.code, data })
}

/** Creates the error of EIP-1193 for an error of Latchkey. */
export function createProviderRpcError(
  error: LatchkeyError,
  data: ProviderRpcError['data'] = { code: error.code },
): ProviderRpcError {
  return Object.assign(new Error(error.message, { cause: error }), { code: getErrorNumber(error), data })
}

function getErrorNumber(error: LatchkeyError): number {
  if (isLatchkeyError(error, 'request/failed') || isLatchkeyError(error, 'rpc/failed')) {
    return error.context.code ?? internalError
  }
  return errorNumbers[error.code] ?? internalError
}
