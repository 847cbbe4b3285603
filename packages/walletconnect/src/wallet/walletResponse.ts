import type { PeerError } from '../channel/peerError.ts'
import { isUnknownRecord } from '../primitives/unknownRecord.ts'

/** The decision on a request. */
export type WalletResponse = { readonly result: unknown } | { readonly error: PeerError }

/** True for a response from storage: it has a result, or an error with a code. */
export function isWalletResponse(value: unknown): value is WalletResponse {
  if (!isUnknownRecord(value)) return false
  const { error } = value
  return 'result' in value || (isUnknownRecord(error) && typeof error.code === 'number')
}
