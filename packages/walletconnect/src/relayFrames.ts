import { randomInteger } from './bytes.ts'
import { isRecord, parseJson, shortText, type UnknownRecord } from './parse.ts'

/** What a relay may send over the socket. Ids are kept as their digits: they exceed what a JavaScript number holds. */
export type RelayFrame =
  | { readonly kind: 'request'; readonly idToken: string; readonly method: string; readonly params: UnknownRecord }
  | { readonly kind: 'result'; readonly id: string; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: string; readonly code: number | undefined; readonly message: string }

/** A 19-digit request id: milliseconds and six random digits. As text, so that no parser on the way rounds it. */
export function relayRequestId(now: number): string {
  return `${Math.floor(now)}${String(randomInteger(1_000_000)).padStart(6, '0')}`
}

export function requestFrame(id: string, method: string, params: object): string {
  return JSON.stringify({ id, jsonrpc: '2.0', method, params })
}

/** Answers a push of the relay, with its id in the very digits it came in. */
export function acknowledgement(idToken: string): string {
  return `{"id":${idToken},"jsonrpc":"2.0","result":true}`
}

/** Reads a frame of the relay; nothing when it makes no sense. */
export function readRelayFrame(text: string): RelayFrame | undefined {
  const frame = parseJson(text)
  // A subscription id is hex and longer, so that this finds the frame's own id wherever it stands.
  const [, idToken = ''] = /"id"\s*:\s*("\d{1,20}"|\d{1,20})\s*[,}]/.exec(text) ?? []
  if (!isRecord(frame) || idToken === '') return undefined
  const { method, params, error } = frame
  if (typeof method === 'string') {
    return isRecord(params) ? { kind: 'request', idToken, method, params } : undefined
  }
  const id = idToken.replaceAll('"', '')
  if (!isRecord(error)) return 'result' in frame ? { kind: 'result', id, result: frame.result } : undefined
  const code = typeof error.code === 'number' ? error.code : undefined
  return { kind: 'error', id, code, message: shortText(error.message, 'no reason given') }
}
