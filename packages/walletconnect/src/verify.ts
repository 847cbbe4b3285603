import type { Clock, Storage } from '@latchkey/core'
import { fromBase64Url, hexToBytes, isHex32, utf8Bytes, utf8Text } from './bytes.ts'
import { didKey } from './didKey.ts'
import { isRecord, parseJson, type UnknownRecord } from './parse.ts'
import { withResolvers } from './promise.ts'
import type { RelayOptions } from './relay.ts'
import type { RelayWebSocket } from './relayLine.ts'

/**
 * Where something that a dapp asks comes from, by the word of the relay, which has it from the browser that published it.
 * A page cannot name another origin than its own; a program that is no browser can.
 */
export type OriginVerdict =
  /** From the origin that the dapp gives as its own. */
  | { readonly status: 'proven'; readonly origin: string }
  /** From another origin than the dapp gives as its own. */
  | { readonly status: 'mismatch'; readonly origin: string }
  /** Nobody says, or it could not be checked. That tells nothing of the dapp, neither good nor bad. */
  | { readonly status: 'unknown' }

/** What a relay attested, and of what. */
export type Attested = {
  /** The JWT that came with the message. */
  readonly attestation: string
  /** The SHA-256 of the sealed message in hex. */
  readonly digest: string
  /** Where the dapp says that it is. */
  readonly url: string
}

type VerifierParts = Pick<RelayOptions, 'relayUrl'> & {
  clock: Clock
  storage: Storage
  /** Where the stored keys of relays begin. */
  prefix: string
  fetch: typeof fetch
}

/** How long the key of a relay is waited for, in milliseconds. */
const patience = 3_000

const unknown: OriginVerdict = { status: 'unknown' }

/** Dials relays as somebody who wants to be told where messages come from. */
export function dialForOrigins(dial: RelayOptions['createSocket']): (address: string) => RelayWebSocket {
  return (address) => {
    const url = new URL(address)
    url.searchParams.set('verify', 'origin')
    return dial === undefined ? new WebSocket(url.href) : dial(url.href)
  }
}

/**
 * Makes what finds out where a request comes from. The keys of the relays are fetched when the first attestation comes,
 * and kept. It never rejects, and takes three seconds at most.
 */
export function createVerifier(parts: VerifierParts): (attested: Attested) => Promise<OriginVerdict> {
  const { clock, storage, prefix } = parts
  const relays = [parts.relayUrl].flat().map((url) => new URL('/public-key', url.replace(/^ws/, 'http')).href)
  const nameOf = (relay: string): string => `${prefix}relayKey ${relay}`

  async function fetchKey(relay: string, signal: AbortSignal): Promise<string | undefined> {
    try {
      const response = await parts.fetch(relay, { signal })
      const key = response.ok ? (await response.text()).trim() : ''
      if (!isHex32(key)) return undefined
      storage.setItem(nameOf(relay), key)
      return key
    } catch {
      return undefined
    }
  }

  /** The key of that relay of ours that calls itself so. A relay whose database was lost has a new one. */
  async function keyOf(issuer: unknown, signal: AbortSignal): Promise<string | undefined> {
    const isIssuer = (key: unknown): boolean => isHex32(key) && didKey(hexToBytes(key)) === issuer
    const kept = relays.map((relay) => storage.getItem(nameOf(relay)) ?? undefined).find(isIssuer)
    return kept ?? (await Promise.all(relays.map((relay) => fetchKey(relay, signal)))).find(isIssuer)
  }

  async function judge(attested: Attested, signal: AbortSignal): Promise<OriginVerdict> {
    const relayKey = await keyOf(readToken(attested.attestation)?.claims.iss, signal)
    return relayKey === undefined ? unknown : readAttestation(attested, relayKey, clock.now())
  }

  return async (attested) => {
    if (readToken(attested.attestation) === undefined) return unknown
    const { promise, resolve } = withResolvers<OriginVerdict>()
    const abort = new AbortController()
    const cancel = clock.after(patience, () => {
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
 * Reads what a relay attests: an EdDSA JWT (RFC 8037) of its origin, made for one message.
 *
 * @param relayKey the Ed25519 key of the relay: 32 bytes in hex
 * @param now milliseconds since 1970
 * @returns `unknown` for whatever is not signed with that key, made for that message and in time
 */
export async function readAttestation(attested: Attested, relayKey: string, now: number): Promise<OriginVerdict> {
  const token = readToken(attested.attestation)
  if (token === undefined) return unknown
  const { id, origin, exp } = token.claims
  if (id !== attested.digest || typeof exp !== 'number' || exp * 1000 <= now) return unknown
  if (typeof origin !== 'string' || originOf(origin) !== origin || !(await isSigned(token, relayKey))) return unknown
  return { status: originOf(attested.url) === origin ? 'proven' : 'mismatch', origin }
}

type Token = { readonly claims: UnknownRecord; readonly signed: Uint8Array; readonly signature: Uint8Array }

function readToken(attestation: string): Token | undefined {
  const [head = '', body = '', signature = '', ...rest] = attestation.split('.')
  try {
    const [header, claims] = [head, body].map((part) => parseJson(utf8Text(fromBase64Url(part))))
    if (!isRecord(header) || header.alg !== 'EdDSA' || !isRecord(claims) || rest.length > 0) return undefined
    return { claims, signed: utf8Bytes(`${head}.${body}`), signature: fromBase64Url(signature) }
  } catch {
    return undefined
  }
}

/** Not every browser knows the curve, and what is asked of it here is too rare to be worth two ways. */
async function isSigned({ signed, signature }: Token, relayKey: string): Promise<boolean> {
  const { ed25519 } = await import('@noble/curves/ed25519.js')
  try {
    return ed25519.verify(signature, signed, hexToBytes(relayKey), { zip215: false })
  } catch {
    return false
  }
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined
}
