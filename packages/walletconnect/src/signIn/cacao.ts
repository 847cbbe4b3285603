import {
  formatSignInMessage as format,
  isAccountId,
  parseAccountId,
  type AccountId,
  type LatchkeyError,
  connectionError,
} from '@latchkey/protocol'
import { isUnknownRecord, isStringList, type UnknownRecord } from '../primitives/unknownRecord.ts'
import { findRecap, formatRecapSentence } from './recap.ts'

/** The content of a sign-in, without its signer (CAIP-122). */
export type SignInContent = {
  /** The authority of the app (RFC 3986): `app.example`, or `localhost:3000`. */
  readonly domain: string
  /** The URI that the user signs in to. */
  readonly aud: string
  readonly version: string
  /** Eight or more letters and digits, chosen by the verifier of the sign-in. */
  readonly nonce: string
  /** The time of the request. All times are in RFC 3339. */
  readonly iat: string
  readonly exp?: string
  readonly nbf?: string
  /** One line for the user to read. */
  readonly statement?: string
  readonly requestId?: string
  readonly resources?: readonly string[]
}

/** A sign-in by one account: its `iss` is a did:pkh, such as `did:pkh:eip155:1:0xab16…`. */
export type CacaoPayload = SignInContent & { readonly iss: string }

/** The verification of a signature: by recovering its key (EIP-191), or by the account's contract. */
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
 * Formats the message that is signed: CAIP-122, which EIP-4361 defines for eip155, with the sentence of its ReCap at the end
 * of the statement (EIP-5573).
 *
 * @throws LatchkeyError `session/invalid` if a field contains a line break, with which it could imitate other fields
 */
export function formatSignInMessage(content: SignInContent, account: AccountId): string {
  const { aud: uri, iat: issuedAt, exp: expirationTime, nbf: notBefore, ...rest } = content
  const { address: accountAddress, chainId } = parseAccountId(account)
  const statement = formatStatement(content)
  const message = { ...rest, uri, issuedAt, expirationTime, notBefore, statement, accountAddress, chainId }
  try {
    return format(message)
  } catch (cause) {
    throw connectionError('session/invalid', { reason: 'a field of the sign-in contains a line break' }, { cause })
  }
}

/**
 * Creates a CACAO (CAIP-74) from a sign-in and its signature.
 *
 * @param content the signed content, such as the payload of a request
 * @param account the signer, a CAIP-10 id
 * @param signature the signature of `wallet.formatAuthMessage({ payload }, account)`, as hex
 * @param type `eip191` for keys, the others for contracts
 * @returns the CACAO for `approveAuthenticate` or for the `auths` of `approve`
 * @example const cacao = createCacao(authenticateRequest.payload, 'eip155:1:0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb', signature)
 */
export function createCacao(
  content: SignInContent,
  account: AccountId,
  signature: string,
  type: SignatureType = 'eip191',
): Cacao {
  const p = { ...parseSignInContent(content), iss: didMethod + account }
  return { h: { t: 'caip122' }, p, s: { t: type, s: signature } }
}

/** Returns the account that signed. @throws LatchkeyError `session/invalid` */
export function parseSigner({ p }: Cacao): AccountId {
  const account = p.iss.slice(didMethod.length)
  if (p.iss.startsWith(didMethod) && isAccountId(account)) return account
  throw connectionError('session/invalid', { reason: 'its sign-in has no account' })
}

/**
 * Parses a CACAO from the other side.
 *
 * @throws LatchkeyError `session/invalid`
 */
export function parseCacao(value: unknown): Cacao {
  const { h, p, s } = isUnknownRecord(value) ? value : {}
  if (!isUnknownRecord(h) || !isUnknownRecord(p) || !isUnknownRecord(s)) throw createMalformedSignInError()
  const [format, issuer, type, signature] = [h.t, p.iss, s.t, s.s]
  if (typeof format !== 'string' || typeof issuer !== 'string') throw createMalformedSignInError()
  if (typeof type !== 'string' || typeof signature !== 'string') throw createMalformedSignInError()
  return { h: { t: format }, p: { ...parseSignInContent(p), iss: issuer }, s: { t: type, s: signature } }
}

/**
 * Parses the content of a sign-in. Drops unknown members.
 *
 * @throws LatchkeyError `session/invalid`
 */
export function parseSignInContent(value: UnknownRecord): SignInContent {
  // JSON from other languages has null for missing members.
  const resources = value.resources ?? undefined
  const given = optionalTexts.filter((name) => (value[name] ?? undefined) !== undefined)
  const texts = [...requiredTexts, ...given].map((name) => [name, value[name]] as const)
  if (!texts.every(([, text]) => typeof text === 'string')) throw createMalformedSignInError()
  if (resources !== undefined && !isStringList(resources)) throw createMalformedSignInError()
  // Each member was checked above.
  const content = Object.fromEntries(texts) as SignInContent
  return resources === undefined ? content : { ...content, resources }
}

function formatStatement({ statement = '', resources = [] }: SignInContent): string | undefined {
  const recap = findRecap(resources)
  const sentence = recap === undefined ? '' : formatRecapSentence(recap)
  // Some wallets have added the sentence to the payload already.
  const sentences = statement.endsWith(sentence) ? [statement] : [statement, sentence]
  const text = sentences.filter((part) => part !== '').join(' ')
  // The grammar of EIP-4361 has no empty statement.
  return text === '' ? undefined : text
}

function createMalformedSignInError(): LatchkeyError<'session/invalid'> {
  return connectionError('session/invalid', { reason: 'its sign-in is malformed' })
}
