import { parseSignInMessage, type SignInMessage } from '@latchkey/protocol'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Banner, Facts, Row, Section } from './facts.ts'
import { deceives, pieces } from './text.ts'

/** What a message of bytes is, as far as people can see. */
export type MessageFacts = Pick<Facts, 'deed' | 'banners' | 'sections'>

/**
 * Tells what would be signed: a sign-in in its parts, a text, or bytes that are none.
 *
 * @param origin the true one of the page, with which a sign-in's is compared
 */
export function messageFacts(bytes: Uint8Array, origin: string): MessageFacts {
  const text = readText(bytes)
  if (text === undefined) {
    const raw: Row = { label: 'data', value: { kind: 'code', text: `0x${bytesToHex(bytes)}` } }
    return { deed: 'message', banners: [{ kind: 'rawHash' }], sections: [{ rows: [raw] }] }
  }
  const odd: readonly Banner[] = deceives(text) ? [{ kind: 'oddText' }] : []
  const signIn = readSignIn(text)
  if (signIn !== undefined) {
    const { banners, sections } = signInFacts(signIn, text, origin)
    return { deed: 'signIn', banners: [...banners, ...odd], sections }
  }
  const rows: readonly Row[] = [{ label: 'message', value: { kind: 'text', text } }]
  // 32 bytes are as long as the hash of anything, and a text of 64 digits is how one is written. A hash does not happen to
  // be made of letters alone.
  const isReadable = pieces(text, { lines: true }).every((piece) => typeof piece === 'string')
  const isHash = (bytes.length === 32 && !isReadable) || /^(?:0x)?[\da-f]{64}$/i.test(text.trim())
  return { deed: 'message', banners: [...(isHash ? [{ kind: 'rawHash' } as const] : []), ...odd], sections: [{ rows }] }
}

function readText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

type SignIn = { readonly domain: string; readonly message?: SignInMessage }

/** A sign-in that is not by the letter of EIP-4361 still says for whom it is: some who accept it do not look closely. */
function readSignIn(text: string): SignIn | undefined {
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
  const isFor = belongs(origin, domain, message)
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

/** `domain` is exactly host and port of the page, and where a scheme is named, that one too (security §4.4). */
function belongs(origin: string, domain: string, message: SignInMessage | undefined): boolean {
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
