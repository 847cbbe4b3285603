import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { request, type Dispatcher } from 'undici'
import { getField } from '../runtime/getField.ts'

/** No endpoint of a chain responded. */
export class NoEndpointError extends Error {
  override readonly name: string = 'NoEndpointError'
}

/** All endpoints that could respond are at their limit for now. */
export class UpstreamLimitError extends NoEndpointError {
  override readonly name: string = 'UpstreamLimitError'
  readonly retryAfterSeconds: number
  constructor(retryAfterSeconds: number, options?: ErrorOptions) {
    super(`All endpoints are at their limit. Try again in ${retryAfterSeconds} seconds.`, options)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** An endpoint refused a request because of its rate limit, and says when it accepts the next one. */
export class EndpointLimitError extends Error {
  override readonly name: string = 'EndpointLimitError'
  readonly retryAfterSeconds: number
  constructor(retryAfterSeconds: number) {
    super(`The endpoint accepts requests in ${retryAfterSeconds} seconds again.`)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** An endpoint refused the size of a request or of its response. A smaller request may succeed. */
export class RequestTooLargeError extends NoEndpointError {
  override readonly name: string = 'RequestTooLargeError'
}

/** A response exceeds the accepted size. */
export class ResponseTooLargeError extends RequestTooLargeError {
  override readonly name: string = 'ResponseTooLargeError'
}

export type PostOptions = {
  /** Timeout of the endpoint, in milliseconds. */
  timeoutMs?: number
  /** The largest accepted response. */
  maxBytes?: number
  /** Called with the size of the response. */
  onBytes?: (bytes: number) => void
  /** Parses the text of the response; as JSON by default. */
  parse?: (text: Buffer) => unknown
}

const defaultTimeoutMs = 10_000
const defaultMaxBytes = 10 * 1024 * 1024
const payloadTooLarge = 413
const tooManyRequests = 429
/** Statuses that concern the client, not the request. */
const deniedStatuses: readonly number[] = [401, 403, 407, 408]
/** Error codes that blame the endpoint, not the request: another endpoint may succeed. */
const endpointFaultCodes: readonly unknown[] = [-32005, -32603, 429]

/**
 * Sends one JSON-RPC request, or a batch, to an endpoint.
 *
 * @param deadline aborts the request
 * @throws RequestTooLargeError if the request or its response is too large
 * @throws EndpointLimitError if the endpoint says when it accepts the next request (status 429 with `Retry-After`)
 * @throws Error if it does not respond in time, or not to this request
 */
export async function postJsonRpc(
  url: string,
  body: unknown,
  deadline: AbortSignal,
  { timeoutMs = defaultTimeoutMs, maxBytes = defaultMaxBytes, onBytes, parse = parseJsonText }: PostOptions = {},
): Promise<unknown> {
  // A third of the processor time of `fetch`, which the proxy would add to each call. It follows no redirects.
  const response = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-encoding': 'gzip' },
    body: JSON.stringify(body),
    signal: AbortSignal.any([deadline, AbortSignal.timeout(timeoutMs)]),
  })
  await assertProcessed(response)
  const text = await readLimited(decompress(response), maxBytes)
  onBytes?.(text.length)
  const isRefusedBatch = Array.isArray(body) && isRefusal(response.statusCode)
  const parsed = parseBody(() => parse(text), { isRefusedBatch })
  assertBatchAccepted(parsed, body)
  if (!isResponseTo(parsed, body)) throw new Error('The endpoint responded to a different request.')
  return parsed
}

/** @throws RequestTooLargeError, EndpointLimitError or Error if the status says that the endpoint did not process the request */
async function assertProcessed({ statusCode: status, headers, body }: Dispatcher.ResponseData): Promise<void> {
  const isRedirect = status >= 300 && status < 400
  if (!isRedirect && status < 500 && status !== tooManyRequests && status !== payloadTooLarge) return
  await body.dump()
  if (status === payloadTooLarge) throw new RequestTooLargeError('The request is too large for the endpoint.')
  const retryAfter = parseRetryAfter(headers['retry-after'])
  if (status === tooManyRequests && retryAfter !== undefined) throw new EndpointLimitError(retryAfter)
  throw new Error(`The endpoint responded with status ${status}.`)
}

function decompress({ headers, body }: Dispatcher.ResponseData): Readable {
  // The callback is required. Errors reach the reader of the stream.
  return headers['content-encoding'] === 'gzip' ? pipeline(body, createGunzip(), () => undefined) : body
}

/** Parses the header in seconds. Providers of JSON-RPC don't use its other form, a date. */
function parseRetryAfter(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,6}$/.test(header) ? Number(header) : undefined
}

function isRefusal(status: number): boolean {
  return status >= 400 && !deniedStatuses.includes(status)
}

function parseJsonText(text: Buffer): unknown {
  return JSON.parse(text.toString('utf8'))
}

/** Some endpoints refuse a batch with a status and a body of their own. */
function parseBody(parse: () => unknown, { isRefusedBatch }: { isRefusedBatch: boolean }): unknown {
  try {
    return parse()
  } catch (cause) {
    if (isRefusedBatch) throw new RequestTooLargeError('The endpoint refused a batch.', { cause })
    throw cause
  }
}

/** An endpoint that accepts fewer requests at once, or no batches, responds to a batch with a single error. */
function assertBatchAccepted(response: unknown, request: unknown): void {
  const reason = getField(response, 'error', 'message')
  if (!Array.isArray(request) || Array.isArray(response) || typeof reason !== 'string') return
  if (isEndpointFault(response) && !/batch/i.test(reason)) return
  throw new RequestTooLargeError(`The endpoint refused a batch of ${request.length} requests: ${reason}.`)
}

/** True if a response, or every response of a batch, blames the endpoint, not the request. */
export function isEndpointFault(response: unknown): boolean {
  if (Array.isArray(response)) return response.length > 0 && response.every((each) => isEndpointFault(each))
  return endpointFaultCodes.includes(getField(response, 'error', 'code'))
}

async function readLimited(body: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    // A stream of bytes without an encoding has chunks of this type.
    const bytes = chunk as Buffer
    size += bytes.length
    if (size > maxBytes) throw new ResponseTooLargeError(`The response is larger than ${maxBytes} bytes.`)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

function isResponseTo(response: unknown, request: unknown): boolean {
  if (Array.isArray(request)) return Array.isArray(response)
  if (getField(response, 'result') === undefined && getField(response, 'error') === undefined) return false
  const id = getField(response, 'id')
  // A node that could not parse the id responds with null.
  return id === getField(request, 'id') || id === null
}
