import { randomInteger } from '../crypto/bytes.ts'
import { isUnknownRecord, tryParseJson, truncateText, type UnknownRecord } from '../primitives/unknownRecord.ts'

/** A JSON-RPC message from the relay. Ids stay text: they exceed the integers of a JavaScript number. */
export type RelayFrame =
  | { readonly kind: 'request'; readonly idToken: string; readonly method: string; readonly params: UnknownRecord }
  | { readonly kind: 'result'; readonly id: string; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: string; readonly code: number | undefined; readonly message: string }

/** Creates a 19-digit request id: milliseconds and six random digits. As a string, so that no parser rounds it. */
export function createRelayRequestId(now: number): string {
  return `${Math.floor(now)}${String(randomInteger(1_000_000)).padStart(6, '0')}`
}

/** Formats a request to the relay (JSON-RPC 2.0). */
export function formatRequestFrame(id: string, method: string, params: object): string {
  return JSON.stringify({ id, jsonrpc: '2.0', method, params })
}

/** Formats the response to a push, with the id exactly as received. */
export function formatAcknowledgement(idToken: string): string {
  return `{"id":${idToken},"jsonrpc":"2.0","result":true}`
}

/** Parses a message from the relay. Returns `undefined` if it is malformed. */
export function parseRelayFrame(text: string): RelayFrame | undefined {
  const frame = tryParseJson(text)
  // Subscription ids are hex and longer, so this finds the id of the frame itself.
  const [, idToken = ''] = /"id"\s*:\s*("\d{1,20}"|\d{1,20})\s*[,}]/.exec(text) ?? []
  if (!isUnknownRecord(frame) || idToken === '') return undefined
  const { method, params, error } = frame
  if (typeof method === 'string') {
    return isUnknownRecord(params) ? { kind: 'request', idToken, method, params } : undefined
  }
  const id = idToken.replaceAll('"', '')
  if (!isUnknownRecord(error)) return 'result' in frame ? { kind: 'result', id, result: frame.result } : undefined
  const code = typeof error.code === 'number' ? error.code : undefined
  return { kind: 'error', id, code, message: truncateText(error.message, 'no reason given') }
}
