import { invalidPayload, RelayError } from './errors.ts'

/** A request with the digits of its id as they were written: ids of 19 digits do not survive a number. */
export type RelayRequest = { idToken: string; method: string; params: Record<string, unknown> }

/** What a client sent: a request, its answer to a push of ours, or nothing that can be used. */
export type Frame =
  | { kind: 'request'; request: RelayRequest }
  | { kind: 'answer'; id: number; ok: boolean }
  | { kind: 'broken'; idToken: string; error: RelayError }

/** The id of a frame that could not be read. */
const noId = '0'

/** Reads one frame. Whatever it holds, it never throws. */
export function readFrame(text: string): Frame {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { kind: 'broken', idToken: noId, error: new RelayError(-32700, 'Parse error', 'Serialization') }
  }
  if (!isRecord(value)) return broken(noId, 'Serialization', 'expected one request')
  const { id, jsonrpc, method, params } = value
  if (method === undefined && ('result' in value || 'error' in value)) {
    return typeof id === 'number'
      ? { kind: 'answer', id, ok: 'result' in value }
      : broken(noId, 'InvalidRequestId', 'id')
  }
  const idToken = readIdToken(text, id)
  if (idToken === undefined) return broken(noId, 'InvalidRequestId', 'id must be a positive integer')
  if (jsonrpc !== '2.0') return broken(idToken, 'InvalidJsonRpcVersion', 'jsonrpc must be "2.0"')
  if (typeof method !== 'string') return broken(idToken, 'InvalidMethod', 'method must be a text')
  if (!isRecord(params)) return broken(idToken, 'InvalidParams', 'params must be an object')
  return { kind: 'request', request: { idToken, method, params } }
}

/** Writes the answer to a request. */
export function writeResult(idToken: string, result: unknown): string {
  return `{"id":${idToken},"jsonrpc":"2.0","result":${JSON.stringify(result)}}`
}

/** Writes the refusal of a request. */
export function writeError(idToken: string, { code, message, data }: RelayError): string {
  return `{"id":${idToken},"jsonrpc":"2.0","error":${JSON.stringify({ code, message, data })}}`
}

/**
 * The id as it is to be echoed. A text is echoed as a text. Of a number the digits are taken from the frame itself,
 * because parsing rounds them beyond 2^53.
 */
function readIdToken(text: string, id: unknown): string | undefined {
  if (typeof id === 'string') return /^[1-9]\d{0,19}$/.test(id) ? `"${id}"` : undefined
  if (typeof id !== 'number' || !Number.isInteger(id) || id <= 0) return undefined
  if (Number.isSafeInteger(id)) return String(id)
  const tokens = [...text.matchAll(/"id"\s*:\s*(\d{16,20})(?=\s*[,}])/g)].map(([, token]) => token)
  return tokens.find((token) => token !== undefined && Number(token) === id)
}

function broken(idToken: string, data: string, detail: string): Frame {
  return { kind: 'broken', idToken, error: invalidPayload(data, detail) }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
