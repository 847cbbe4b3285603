import { lookup, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { callbackify, promisify } from 'node:util'
import { Agent, request, type Dispatcher } from 'undici'
import { isPublicAddress } from './isPublicAddress.ts'

/** The URL is not allowed. There was no connection. */
export class AddressNotAllowedError extends Error {
  override readonly name: string = 'AddressNotAllowedError'
}

export type SafeFetchOptions = {
  /** Allows http, any port and any address, for development: users can then reach everything that this machine can. */
  allowPrivate?: boolean
  /** Checks addresses before a connection; allows public ones by default. */
  isAllowed?: (address: string) => boolean
  /** Resolves a name to all its addresses, once per connection. */
  resolve?: (hostname: string) => Promise<readonly LookupAddress[]>
  /** The timeout of a whole request in milliseconds. */
  timeoutMs?: number
  /** Offers HTTP/2 to servers, which some require. */
  http2?: boolean
  /** A certificate to trust instead of the system's, for tests. */
  certificate?: string
}

export type SafeRequest = {
  method?: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array
  /** The most bytes of a response; more is an error. 0 does not read the body. */
  maxBytes: number
}

export type SafeResponse = {
  status: number
  contentType: string
  /** The header `Retry-After`, if there is one. */
  retryAfter?: string
  body: Uint8Array
}

/** Fetches URLs that users control. */
export type SafeFetch = {
  /**
   * Does not follow redirects, decompress responses, or use proxies.
   *
   * @throws AddressNotAllowedError if the URL or an address of its host is not allowed
   * @throws Error if there is no response in time, or it is too long
   */
  fetch(url: string, request: SafeRequest): Promise<SafeResponse>
  /**
   * Checks a URL without resolving its name or connecting.
   *
   * @throws AddressNotAllowedError if the URL is not allowed
   */
  check(url: string): void
  close(): Promise<void>
}

const lookupAll = promisify(lookup)

/**
 * Creates a fetch that users cannot turn against the server's network (SSRF): only https, only the default port, only
 * names whose addresses are all public. It connects to exactly the addresses that were checked.
 *
 * @example const { status } = await createSafeFetch().fetch(url, { method: 'POST', body, maxBytes: 0 })
 */
export function createSafeFetch(options: SafeFetchOptions = {}): SafeFetch {
  const { allowPrivate = false, timeoutMs = 5_000 } = options
  const { isAllowed = allowPrivate ? () => true : isPublicAddress } = options
  const { resolve = (hostname) => lookupAll(hostname, { all: true, verbatim: true }) } = options

  async function resolveSafely(hostname: string): Promise<readonly LookupAddress[]> {
    const addresses = await resolve(hostname)
    if (addresses.length === 0) throw new Error('The name has no address.')
    if (addresses.every(({ address }) => isAllowed(address))) return addresses
    throw new AddressNotAllowedError('The name leads to an address that is not public.')
  }

  const lookupSafely = callbackify(resolveSafely)
  const safeLookup: LookupFunction = (hostname, { all }, callback) =>
    lookupSafely(hostname, (error, addresses = []) => {
      const [first] = addresses
      if (error !== null) callback(error, '')
      else if (all === true) callback(null, [...addresses])
      else callback(null, first?.address ?? '', first?.family)
    })

  function check(text: string): URL {
    const url = parseAllowedUrl(text, allowPrivate)
    const literal = url.hostname.replace(/^\[|\]$/g, '')
    // An IP address is not resolved, so it is checked here.
    if (isIP(literal) !== 0 && !isAllowed(literal)) throw new AddressNotAllowedError('The address is not public.')
    return url
  }

  const { http2: allowH2 = false, certificate } = options
  const connect = { lookup: safeLookup, timeout: timeoutMs, ...(certificate !== undefined && { ca: certificate }) }
  const agent = new Agent({ allowH2, connect, maxHeaderSize: 16 * 1024 })

  return {
    async fetch(text, { method = 'GET', headers = {}, body, maxBytes }) {
      const response = await request(check(text), {
        dispatcher: agent,
        method,
        headers: { 'accept-encoding': 'identity', ...headers },
        body: body ?? null,
        signal: AbortSignal.timeout(timeoutMs),
      })
      const contentType = String(response.headers['content-type'] ?? '')
      const retryAfter = response.headers['retry-after']
      return {
        status: response.statusCode,
        contentType,
        ...(typeof retryAfter === 'string' && { retryAfter }),
        body: await readBytes(response.body, maxBytes),
      }
    },
    check: (text) => void check(text),
    close: () => agent.destroy(),
  }
}

function parseAllowedUrl(text: string, allowPrivate: boolean): URL {
  if (!URL.canParse(text)) throw new AddressNotAllowedError('This is not an address.')
  const url = new URL(text)
  const schemes = allowPrivate ? ['https:', 'http:'] : ['https:']
  if (!schemes.includes(url.protocol)) throw new AddressNotAllowedError('The address does not begin with https.')
  if (url.username !== '' || url.password !== '') throw new AddressNotAllowedError('The address holds credentials.')
  if (url.port !== '' && !allowPrivate) throw new AddressNotAllowedError('The address names a port.')
  return url
}

async function readBytes(body: Dispatcher.ResponseData['body'], bytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Destroying an unfinished response emits an error, which would end the process without a listener.
  body.on('error', () => undefined)
  try {
    if (bytes === 0) return new Uint8Array()
    for await (const chunk of body) {
      // Without an encoding, chunks are bytes.
      const part = chunk as Uint8Array
      size += part.length
      if (size > bytes) throw new Error(`The response is longer than ${bytes} bytes.`)
      chunks.push(part)
    }
    return Buffer.concat(chunks)
  } finally {
    body.destroy()
  }
}
