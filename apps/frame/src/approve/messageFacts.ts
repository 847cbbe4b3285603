import { parseSignInMessage, type SignInMessage } from '@latchkey/protocol'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Banner, ApprovalFacts, Row, Section } from './approvalFacts.ts'
import { hasDeceptiveCharacters, splitVisibleText } from './splitVisibleText.ts'

/** Content of the approval screen for a message. */
export type MessageFacts = Pick<ApprovalFacts, 'action' | 'banners' | 'sections'>

/**
 * Describes a message: a sign-in in its parts, text, or raw bytes.
 *
 * @param origin origin that the browser reports. A sign-in is compared with it.
 */
export function describeMessageBytes(bytes: Uint8Array, origin: string): MessageFacts {
  const text = decodeUtf8(bytes)
  if (text === undefined) {
    const raw: Row = { label: 'data', value: { kind: 'code', text: `0x${bytesToHex(bytes)}` } }
    return { action: 'message', banners: [{ kind: 'rawHash' }], sections: [{ rows: [raw] }] }
  }
  const odd: readonly Banner[] = hasDeceptiveCharacters(text) ? [{ kind: 'oddText' }] : []
  const signIn = parseSignIn(text)
  if (signIn !== undefined) {
    const { banners, sections } = signInFacts(signIn, text, origin)
    return { action: 'signIn', banners: [...banners, ...odd], sections }
  }
  const rows: readonly Row[] = [{ label: 'message', value: { kind: 'text', text } }]
  // 32 bytes may be the hash of anything, and so may 64 hexadecimal digits. A hash is practically never readable
  // text.
  const isReadable = splitVisibleText(text, { lines: true }).every((piece) => typeof piece === 'string')
  const isHash = (bytes.length === 32 && !isReadable) || /^(?:0x)?[\da-f]{64}$/i.test(text.trim())
  return {
    action: 'message',
    banners: [...(isHash ? [{ kind: 'rawHash' } as const] : []), ...odd],
    sections: [{ rows }],
  }
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

type SignIn = { readonly domain: string; readonly message?: SignInMessage }

/** Parses a sign-in, even a malformed one: some sites accept messages that violate EIP-4361. */
function parseSignIn(text: string): SignIn | undefined {
  const [, claimed] = /(\S+)\s+wants you to sign in with your\b/i.exec(text) ?? []
  if (claimed === undefined) return undefined
  try {
    const message = parseSignInMessage(text)
    return { domain: message.domain, message }
  } catch {
    return { domain: claimed.replace(/^[a-z][a-z\d+.-]*:\/\//i, '') }
  }
}

function signInFacts(
  { domain, message }: SignIn,
  text: string,
  origin: string,
): { banners: readonly Banner[]; sections: readonly Section[] } {
  const isFor = isForOrigin(origin, domain, message)
  const whole: Section = {
    title: 'message',
    rows: [{ label: 'message', value: { kind: 'text', text } }],
    isFolded: true,
  }
  const foreign: readonly Banner[] = isFor ? [] : [{ kind: 'foreignDomain', domain }]
  const odd: readonly Banner[] = message === undefined ? [{ kind: 'oddSignIn' }] : []
  if (message === undefined) return { banners: [...foreign, ...odd], sections: [{ ...whole, isFolded: false }] }
  const { statement, uri, chainId, nonce, issuedAt, expirationTime, resources = [] } = message
  const row = (label: Row['label'], value: string | undefined): readonly Row[] =>
    value === undefined ? [] : [{ label, value: { kind: 'text', text: value } }]
  const rows = [
    ...row('domain', domain),
    ...row('statement', statement),
    ...row('uri', uri),
    ...row('chain', chainId),
    ...row('nonce', nonce),
    ...row('issued', issuedAt),
    ...row('expires', expirationTime),
    ...row('resources', resources.length > 0 ? resources.join('\n') : undefined),
  ]
  return { banners: foreign, sections: [{ rows }, whole] }
}

/**
 * Checks that `domain` is exactly the page's host and port, and the scheme if the message names one (security §4.4).
 */
function isForOrigin(origin: string, domain: string, message: SignInMessage | undefined): boolean {
  try {
    const { host, protocol } = new URL(origin)
    const scheme = message?.scheme
    const isSameScheme = scheme === undefined || `${scheme.toLowerCase()}:` === protocol
    const isSameUri = message === undefined || new URL(message.uri).origin === new URL(origin).origin
    return domain.toLowerCase() === host && isSameScheme && isSameUri
  } catch {
    return false
  }
}
