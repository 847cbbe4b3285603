import { createHash } from 'node:crypto'
import type { RelayIdentity } from './identity.ts'
import type { StoredMessage } from './mailbox.ts'

/** Tags of what a person answers: proposals, requests and sign-ins. */
const askingTags: readonly number[] = [1100, 1108, 1116]
/** Seconds. */
const lifetime = 60 * 60
/** The longest name of a host, and what stands around it. */
const longestOrigin = 280

/**
 * The web origin (RFC 6454) that an `Origin` header names. Browsers set it themselves, so that a page cannot claim
 * another one; other programs write what they like.
 *
 * @returns an empty text for what is none, such as `null` of a sandboxed page
 */
export function readOrigin(header: string | undefined): string {
  if (header === undefined || header.length > longestOrigin || !URL.canParse(header)) return ''
  const { origin, protocol } = new URL(header)
  return origin === header && (protocol === 'https:' || protocol === 'http:') ? origin : ''
}

/** What is kept of the origin of a publisher with a message: all of it where a person will be asked, else nothing. */
export function originToKeep(origin: string, tag: number): string {
  return askingTags.includes(tag) ? origin : ''
}

/**
 * What a delivery says of the page that a message came from, to whoever wants to know: what the publisher gave, or else
 * an EdDSA JWT (RFC 8037) of the relay about the publisher's origin, which names the message by its SHA-256.
 *
 * @param now milliseconds since 1970
 * @returns an empty text where nothing is known
 */
export function attestOrigin(
  { message, attestation, origin }: Pick<StoredMessage, 'message' | 'attestation' | 'origin'>,
  identity: Pick<RelayIdentity, 'sign'>,
  now: number,
): string {
  if (attestation !== '' || origin === '') return attestation
  const id = createHash('sha256').update(message).digest('hex')
  const iat = Math.floor(now / 1000)
  return identity.sign({ id, origin, iat, exp: iat + lifetime })
}
