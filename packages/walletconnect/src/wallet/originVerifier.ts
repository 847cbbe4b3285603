import type { Clock, Storage } from '@latchkey/core'
import { fromBase64Url, hexToBytes, isHex32, encodeUtf8, decodeUtf8 } from '../crypto/bytes.ts'
import { formatDidKey } from '../crypto/didKey.ts'
import { isUnknownRecord, tryParseJson, type UnknownRecord } from '../primitives/unknownRecord.ts'
import { withResolvers } from '../primitives/withResolvers.ts'
import type { RelayOptions } from '../relay/relay.ts'
import type { RelayWebSocket } from '../relay/relayConnection.ts'

/**
 * The origin of a dapp's request, as attested by the relay, which knows it from the browser that published the request.
 * A page cannot claim another origin. A program other than a browser can.
 */
export type OriginVerdict =
  /** The origin is the one that the dapp gives. */
  | { readonly status: 'proven'; readonly origin: string }
  /** The origin differs from the one that the dapp gives. */
  | { readonly status: 'mismatch'; readonly origin: string }
  /** There is no attestation, or it cannot be verified. This says nothing about the dapp. */
  | { readonly status: 'unknown' }

/** A message with its attestation. */
export type AttestedMessage = {
  /** The JWT that came with the message. */
  readonly attestation: string
  /** The SHA-256 of the sealed message in hex. */
  readonly digest: string
  /** The URL that the dapp gives. */
  readonly url: string
}

type OriginVerifierDependencies = Pick<RelayOptions, 'relayUrl'> & {
  clock: Clock
  storage: Storage
  /** The prefix of storage keys. */
  prefix: string
  fetch: typeof fetch
}

const keyTimeoutMs = 3_000

const unknown: OriginVerdict = { status: 'unknown' }

/** Wraps `createSocket` so that relays attest the origin of messages. */
export function withOriginAttestation(createSocket: RelayOptions['createSocket']): (address: string) => RelayWebSocket {
  return (address) => {
    const url = new URL(address)
    url.searchParams.set('verify', 'origin')
    return createSocket === undefined ? new WebSocket(url.href) : createSocket(url.href)
  }
}

/**
 * Creates a function that verifies attestations. It fetches the relays' keys with the first attestation and stores them. It
 * never rejects, and takes three seconds at most.
 */
export function createOriginVerifier(
  dependencies: OriginVerifierDependencies,
): (attested: AttestedMessage) => Promise<OriginVerdict> {
  const { clock, storage, prefix } = dependencies
  const relays = [dependencies.relayUrl].flat().map((url) => new URL('/public-key', url.replace(/^ws/, 'http')).href)
  const storageKeyOf = (relay: string): string => `${prefix}relayKey ${relay}`

  async function fetchKey(relay: string, signal: AbortSignal): Promise<string | undefined> {
    try {
      const response = await dependencies.fetch(relay, { signal })
      const key = response.ok ? (await response.text()).trim() : ''
      if (!isHex32(key)) return undefined
      storage.setItem(storageKeyOf(relay), key)
      return key
    } catch {
      return undefined
    }
  }

  /** Returns the key of the relay that issued a token. A relay that lost its database has a new key. */
  async function findIssuerKey(issuer: unknown, signal: AbortSignal): Promise<string | undefined> {
    const isIssuer = (key: unknown): boolean => isHex32(key) && formatDidKey(hexToBytes(key)) === issuer
    const stored = relays.map((relay) => storage.getItem(storageKeyOf(relay)) ?? undefined).find(isIssuer)
    return stored ?? (await Promise.all(relays.map((relay) => fetchKey(relay, signal)))).find(isIssuer)
  }

  async function judge(attested: AttestedMessage, signal: AbortSignal): Promise<OriginVerdict> {
    const relayKey = await findIssuerKey(parseAttestation(attested.attestation)?.claims.iss, signal)
    return relayKey === undefined ? unknown : verifyAttestation(attested, relayKey, clock.now())
  }

  return async (attested) => {
    if (parseAttestation(attested.attestation) === undefined) return unknown
    const { promise, resolve } = withResolvers<OriginVerdict>()
    const abort = new AbortController()
    const cancel = clock.after(keyTimeoutMs, () => {
      abort.abort()
      resolve(unknown)
    })
    judge(attested, abort.signal).then(resolve, () => resolve(unknown))
    try {
      return await promise
    } finally {
      cancel()
    }
  }
}

/**
 * Verifies an attestation: an EdDSA JWT (RFC 8037) with an origin, issued for one message.
 *
 * @param relayKey the Ed25519 key of the relay: 32 bytes in hex
 * @param now milliseconds since 1970
 * @returns `unknown` unless the token is signed with the key, issued for the message, and not expired
 */
export async function verifyAttestation(
  attested: AttestedMessage,
  relayKey: string,
  now: number,
): Promise<OriginVerdict> {
  const token = parseAttestation(attested.attestation)
  if (token === undefined) return unknown
  const { id, origin, exp } = token.claims
  if (id !== attested.digest || typeof exp !== 'number' || exp * 1000 <= now) return unknown
  if (typeof origin !== 'string' || parseOrigin(origin) !== origin || !(await isAttestationSigned(token, relayKey)))
    return unknown
  return { status: parseOrigin(attested.url) === origin ? 'proven' : 'mismatch', origin }
}

type AttestationToken = { readonly claims: UnknownRecord; readonly signed: Uint8Array; readonly signature: Uint8Array }

function parseAttestation(attestation: string): AttestationToken | undefined {
  const [head = '', body = '', signature = '', ...rest] = attestation.split('.')
  try {
    const [header, claims] = [head, body].map((part) => tryParseJson(decodeUtf8(fromBase64Url(part))))
    if (!isUnknownRecord(header) || header.alg !== 'EdDSA' || !isUnknownRecord(claims) || rest.length > 0)
      return undefined
    return { claims, signed: encodeUtf8(`${head}.${body}`), signature: fromBase64Url(signature) }
  } catch {
    return undefined
  }
}

/** Uses JavaScript: not every browser supports the curve, and this is too rare for two implementations. */
async function isAttestationSigned({ signed, signature }: AttestationToken, relayKey: string): Promise<boolean> {
  const { ed25519 } = await import('@noble/curves/ed25519.js')
  try {
    return ed25519.verify(signature, signed, hexToBytes(relayKey), { zip215: false })
  } catch {
    return false
  }
}

function parseOrigin(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined
}
