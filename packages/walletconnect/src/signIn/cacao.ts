import {
  formatSignInMessage as format,
  isAccountId,
  LatchkeyError,
  parseAccountId,
  type AccountId,
} from '@latchkey/protocol'
import { isRecord, isTextList, type UnknownRecord } from '../parse.ts'
import { recapOf, recapSentence } from './recap.ts'

/** What a sign-in says, whoever signs it (CAIP-122). */
export type SignInContent = {
  /** The authority that asks (RFC 3986): `app.example`, or `localhost:3000`. */
  readonly domain: string
  /** The URI that the sign-in is for. */
  readonly aud: string
  readonly version: string
  /** Letters and digits, eight or more, drawn by whoever checks the sign-in. */
  readonly nonce: string
  /** When it was asked for; this and the other times in RFC 3339. */
  readonly iat: string
  readonly exp?: string
  readonly nbf?: string
  /** One line for the person to read. */
  readonly statement?: string
  readonly requestId?: string
  readonly resources?: readonly string[]
}

/** A sign-in by one account: its `iss` is a did:pkh, such as `did:pkh:eip155:1:0xab16…`. */
export type CacaoPayload = SignInContent & { readonly iss: string }

/** How a signature is checked: by recovering its key (EIP-191), or by asking the account's contract. */
export type SignatureType = 'eip191' | 'eip1271' | 'eip6492'

/** A signed sign-in (CAIP-74). */
export type Cacao = {
  readonly h: { readonly t: string }
  readonly p: CacaoPayload
  readonly s: { readonly t: string; readonly s: string }
}

const didMethod = 'did:pkh:'
const requiredTexts = ['domain', 'aud', 'version', 'nonce', 'iat'] as const
const optionalTexts = ['exp', 'nbf', 'statement', 'requestId'] as const

/**
 * Puts a sign-in into the words that are signed: a CAIP-122 message, which EIP-4361 spells out for eip155, with the
 * sentence of its ReCap at the end of the statement (EIP-5573).
 *
 * @throws LatchkeyError `session/invalid` when a part has a line break in it, so that it could pass for other parts.
 */
export function formatSignInMessage(content: SignInContent, account: AccountId): string {
  const { aud: uri, iat: issuedAt, exp: expirationTime, nbf: notBefore, ...said } = content
  const { address: accountAddress, chainId } = parseAccountId(account)
  const statement = statementOf(content)
  const message = { ...said, uri, issuedAt, expirationTime, notBefore, statement, accountAddress, chainId }
  try {
    return format(message)
  } catch (cause) {
    throw new LatchkeyError('session/invalid', { reason: 'a part of the sign-in has a line break' }, { cause })
  }
}

/**
 * Puts a signature and what it signs together.
 *
 * @param signature of `formatSignInMessage(content, account)`, as hex
 * @param type `eip191` for a key, the others for contracts
 */
export function createCacao(
  content: SignInContent,
  account: AccountId,
  signature: string,
  type: SignatureType = 'eip191',
): Cacao {
  const p = { ...readContent(content), iss: didMethod + account }
  return { h: { t: 'caip122' }, p, s: { t: type, s: signature } }
}

/** The account that a sign-in is from. */
export function signerOf({ p }: Cacao): AccountId {
  const account = p.iss.slice(didMethod.length)
  if (p.iss.startsWith(didMethod) && isAccountId(account)) return account
  throw new LatchkeyError('session/invalid', { reason: 'its sign-in names no account' })
}

/**
 * Reads a CACAO of the other side.
 *
 * @throws LatchkeyError `session/invalid`.
 */
export function readCacao(value: unknown): Cacao {
  const { h, p, s } = isRecord(value) ? value : {}
  if (!isRecord(h) || !isRecord(p) || !isRecord(s)) throw malformed()
  const [format, issuer, type, signature] = [h.t, p.iss, s.t, s.s]
  if (typeof format !== 'string' || typeof issuer !== 'string') throw malformed()
  if (typeof type !== 'string' || typeof signature !== 'string') throw malformed()
  return { h: { t: format }, p: { ...readContent(p), iss: issuer }, s: { t: type, s: signature } }
}

/**
 * Reads what a sign-in says, and leaves out whatever else is there.
 *
 * @throws LatchkeyError `session/invalid`.
 */
export function readContent(value: UnknownRecord): SignInContent {
  // JSON of other languages has null where there is nothing.
  const resources = value.resources ?? undefined
  const given = optionalTexts.filter((name) => (value[name] ?? undefined) !== undefined)
  const texts = [...requiredTexts, ...given].map((name) => [name, value[name]] as const)
  if (!texts.every(([, text]) => typeof text === 'string')) throw malformed()
  if (resources !== undefined && !isTextList(resources)) throw malformed()
  // Each part was just looked at.
  const content = Object.fromEntries(texts) as SignInContent
  return resources === undefined ? content : { ...content, resources }
}

function statementOf({ statement = '', resources = [] }: SignInContent): string | undefined {
  const recap = recapOf(resources)
  const sentence = recap === undefined ? '' : recapSentence(recap)
  // Some wallets have put the sentence into the payload already.
  const parts = statement.endsWith(sentence) ? [statement] : [statement, sentence]
  const said = parts.filter((part) => part !== '').join(' ')
  // The grammar of EIP-4361 knows no empty statement.
  return said === '' ? undefined : said
}

function malformed(): LatchkeyError<'session/invalid'> {
  return new LatchkeyError('session/invalid', { reason: 'its sign-in is malformed' })
}
