import { lookup, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { callbackify, promisify } from 'node:util'
import { Agent, request, type Dispatcher } from 'undici'
import { isPublicAddress } from './publicAddress.ts'

/** Somebody wants us to go where we do not go. Nothing was connected to. */
export class AddressRefused extends Error {
  override readonly name: string = 'AddressRefused'
}

export type SafeFetchOptions = {
  /** Takes http, any port and any address, for development: strangers can then reach whatever this machine can. */
  allowPrivate?: boolean
  /** Which addresses may be connected to; the public ones by default. */
  isAllowed?: (address: string) => boolean
  /** All addresses of a name, asked once for each connection. */
  resolve?: (hostname: string) => Promise<readonly LookupAddress[]>
  /** How long a whole exchange may take, in milliseconds. */
  patience?: number
}

export type SafeRequest = {
  method?: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string
  /** How many bytes of an answer are taken; more is a failure. 0 reads none of it. */
  bytes: number
}

export type SafeResponse = { status: number; contentType: string; body: Uint8Array }

/** Asks addresses that strangers have a say in. */
export type SafeFetch = {
  /**
   * Redirects are not followed, answers not decompressed, proxies not used.
   *
   * @throws AddressRefused when the address is not one that anybody may be sent to
   * @throws Error when there is no answer in time, or a longer one than wanted
   */
  fetch(url: string, request: SafeRequest): Promise<SafeResponse>
  /**
   * Looks at an address without going there, nor asking where its name leads.
   *
   * @throws AddressRefused when it is not one that anybody may be sent to
   */
  check(url: string): void
  close(): Promise<void>
}

const lookupAll = promisify(lookup)

/**
 * Makes a fetch that strangers cannot turn against the network that the server is in: only https, only the usual port,
 * only names of which every address is public. The connection goes to the very addresses that were looked at.
 *
 * @example const { status } = await createSafeFetch().fetch(url, { method: 'POST', body, bytes: 0 })
 */
export function createSafeFetch(options: SafeFetchOptions = {}): SafeFetch {
  const { allowPrivate = false, patience = 5_000 } = options
  const { isAllowed = allowPrivate ? () => true : isPublicAddress } = options
  const { resolve = (hostname) => lookupAll(hostname, { all: true, verbatim: true }) } = options

  async function resolveSafely(hostname: string): Promise<readonly LookupAddress[]> {
    const addresses = await resolve(hostname)
    if (addresses.length === 0) throw new Error('The name has no address.')
    if (addresses.every(({ address }) => isAllowed(address))) return addresses
    throw new AddressRefused('The name leads to an address that is not public.')
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
    const url = readUrl(text, allowPrivate)
    const literal = url.hostname.replace(/^\[|\]$/g, '')
    // Addresses are connected to as they are, without asking for a name.
    if (isIP(literal) !== 0 && !isAllowed(literal)) throw new AddressRefused('The address is not public.')
    return url
  }

  const agent = new Agent({ connect: { lookup: safeLookup, timeout: patience }, maxHeaderSize: 16 * 1024 })

  return {
    async fetch(text, { method = 'GET', headers = {}, body, bytes }) {
      const response = await request(check(text), {
        dispatcher: agent,
        method,
        headers: { 'accept-encoding': 'identity', ...headers },
        body: body ?? null,
        signal: AbortSignal.timeout(patience),
      })
      const contentType = String(response.headers['content-type'] ?? '')
      return { status: response.statusCode, contentType, body: await read(response.body, bytes) }
    },
    check: (text) => void check(text),
    close: () => agent.destroy(),
  }
}

function readUrl(text: string, allowPrivate: boolean): URL {
  if (!URL.canParse(text)) throw new AddressRefused('This is no address.')
  const url = new URL(text)
  const schemes = allowPrivate ? ['https:', 'http:'] : ['https:']
  if (!schemes.includes(url.protocol)) throw new AddressRefused('The address does not begin with https.')
  if (url.username !== '' || url.password !== '') throw new AddressRefused('The address holds credentials.')
  if (url.port !== '' && !allowPrivate) throw new AddressRefused('The address names a port.')
  return url
}

async function read(body: Dispatcher.ResponseData['body'], bytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  // An answer that is not read to its end is torn off: an error that would end the process if nobody listened.
  body.on('error', () => undefined)
  try {
    if (bytes === 0) return new Uint8Array()
    for await (const chunk of body) {
      // Without an encoding, chunks of a body are bytes.
      const part = chunk as Uint8Array
      size += part.length
      if (size > bytes) throw new Error(`The answer is longer than ${bytes} bytes.`)
      chunks.push(part)
    }
    return Buffer.concat(chunks)
  } finally {
    body.destroy()
  }
}
