import { invalidPayload, RelayError } from '../errors.ts'

/** A request with the digits of its id as they were written: ids of 19 digits do not survive a number. */
export type RelayRequest = { idToken: string; method: string; params: Record<string, unknown> }

/** A client's frame: a request, the response to a delivery, or an invalid text. */
export type Frame =
  | { kind: 'request'; request: RelayRequest }
  | { kind: 'response'; id: number; ok: boolean }
  | { kind: 'invalid'; idToken: string; error: RelayError }

/** The id in the error response to a frame without a valid id. */
const noId = '0'

/** Parses one frame. Never throws. */
export function parseFrame(text: string): Frame {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { kind: 'invalid', idToken: noId, error: new RelayError(-32700, 'Parse error', 'Serialization') }
  }
  if (!isFrameObject(value)) return invalidFrame(noId, 'Serialization', 'expected one request')
  const { id, jsonrpc, method, params } = value
  if (method === undefined && ('result' in value || 'error' in value)) {
    return typeof id === 'number'
      ? { kind: 'response', id, ok: 'result' in value }
      : invalidFrame(noId, 'InvalidRequestId', 'id')
  }
  const idToken = parseIdToken(text, id)
  if (idToken === undefined) return invalidFrame(noId, 'InvalidRequestId', 'id must be a positive integer')
  if (jsonrpc !== '2.0') return invalidFrame(idToken, 'InvalidJsonRpcVersion', 'jsonrpc must be "2.0"')
  if (typeof method !== 'string') return invalidFrame(idToken, 'InvalidMethod', 'method must be a string')
  if (!isFrameObject(params)) return invalidFrame(idToken, 'InvalidParams', 'params must be an object')
  return { kind: 'request', request: { idToken, method, params } }
}

/** Formats the successful response to a request. */
export function formatResult(idToken: string, result: unknown): string {
  return `{"id":${idToken},"jsonrpc":"2.0","result":${JSON.stringify(result)}}`
}

/** Formats the error response to a request. */
export function formatError(idToken: string, { code, message, data }: RelayError): string {
  return `{"id":${idToken},"jsonrpc":"2.0","error":${JSON.stringify({ code, message, data })}}`
}

/**
 * Parses the id as it must be echoed. A string is echoed as a string. The digits of a number are taken from the frame
 * itself, because parsing rounds them beyond 2^53.
 */
function parseIdToken(text: string, id: unknown): string | undefined {
  if (typeof id === 'string') return /^[1-9]\d{0,19}$/.test(id) ? `"${id}"` : undefined
  if (typeof id !== 'number' || !Number.isInteger(id) || id <= 0) return undefined
  if (Number.isSafeInteger(id)) return String(id)
  const tokens = [...text.matchAll(/"id"\s*:\s*(\d{16,20})(?=\s*[,}])/g)].map(([, token]) => token)
  return tokens.find((token) => token !== undefined && Number(token) === id)
}

function invalidFrame(idToken: string, data: string, detail: string): Frame {
  return { kind: 'invalid', idToken, error: invalidPayload(data, detail) }
}

function isFrameObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
