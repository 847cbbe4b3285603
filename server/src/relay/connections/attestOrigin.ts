import { createHash } from 'node:crypto'
import type { RelayIdentity } from '../relayIdentity.ts'
import type { RelayMessage } from '../mailbox/mailbox.ts'

/** Tags of messages that a user approves: proposals, requests and sign-ins. */
const approvalTags: readonly number[] = [1100, 1108, 1116]
const lifetimeSeconds = 60 * 60
/** The longest host name, with scheme and port. */
const maxOriginLength = 280

/**
 * Parses the web origin (RFC 6454) of an `Origin` header. Browsers set the header, so a page cannot claim another
 * origin; other programs can.
 *
 * @returns an empty text for anything else, such as `null` of a sandboxed page
 */
export function parseWebOrigin(header: string | undefined): string {
  if (header === undefined || header.length > maxOriginLength || !URL.canParse(header)) return ''
  const { origin, protocol } = new URL(header)
  return origin === header && (protocol === 'https:' || protocol === 'http:') ? origin : ''
}

/** Gets the origin to store with a message: the publisher's origin for a message that a user approves, otherwise none. */
export function originToStore(origin: string, tag: number): string {
  return approvalTags.includes(tag) ? origin : ''
}

/**
 * Gets the attestation of a message's origin: the publisher's own, or an EdDSA JWT (RFC 8037) in which the relay attests
 * the publisher's origin for the SHA-256 of the message.
 *
 * @param now milliseconds since 1970
 * @returns an empty text if the origin is unknown
 */
export function attestOrigin(
  { message, attestation, origin }: Pick<RelayMessage, 'message' | 'attestation' | 'origin'>,
  identity: Pick<RelayIdentity, 'sign'>,
  now: number,
): string {
  if (attestation !== '' || origin === '') return attestation
  const id = createHash('sha256').update(message).digest('hex')
  const iat = Math.floor(now / 1000)
  return identity.sign({ id, origin, iat, exp: iat + lifetimeSeconds })
}
