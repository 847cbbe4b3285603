import { isUnknownRecord, truncateText } from '../primitives/unknownRecord.ts'

/** A decrypted JSON-RPC message from the other side. */
export type Payload =
  | { readonly kind: 'request'; readonly id: number; readonly method: string; readonly params: unknown }
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly code: number | undefined; readonly reason: string }

/** Parses a JSON-RPC message. Returns `undefined` if it is malformed. */
export function parsePayload(payload: unknown): Payload | undefined {
  if (!isUnknownRecord(payload)) return undefined
  const { id, method, params, error } = payload
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return undefined
  if (typeof method === 'string') return { kind: 'request', id, method, params }
  if (!isUnknownRecord(error)) return 'result' in payload ? { kind: 'result', id, result: payload.result } : undefined
  const code = typeof error.code === 'number' ? error.code : undefined
  return { kind: 'error', id, code, reason: truncateText(error.message, 'no reason given') }
}
