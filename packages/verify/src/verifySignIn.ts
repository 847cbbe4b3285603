import {
  formatAccountId,
  isLatchkeyError,
  isNamespace,
  parseAccountId,
  parseChainId,
  parseSignInMessage,
  type AccountId,
  type ChainId,
  type Namespace,
  type SignInMessage,
} from '@latchkey/protocol'
import { verifyBip122 } from './bip122.ts'
import { isOnChain } from './bitcoin/isOnChain.ts'
import { isChecksummed } from './checksum.ts'
import type { ChainSource } from './contract.ts'
import { verifyEip155 } from './eip155.ts'
import { verifyPolkadot } from './polkadot.ts'
import { verifySolana } from './solana.ts'

/** A sign-in as the page sends it: the signed text and the signature. */
export type SignedText = { readonly message: string; readonly signature: string }

/** The sign-in that a server expects. */
export type ExpectedSignIn = {
  /** The nonce that the server issued. Delete it before you call `verifySignIn`: a nonce is valid once. */
  nonce: string
  /** The authority of the app, or a list of them: `app.example`, `localhost:3000`. */
  domain: string | readonly string[]
  /** The current time in milliseconds since the epoch. */
  now: number
  /** The exact URI; by default any URI with the same authority. */
  uri?: string
  /** The chains of the app; any by default. */
  chains?: readonly ChainId[]
  /** The account that has to sign in; any by default. */
  account?: AccountId
  /** The maximum age in milliseconds; five minutes by default. Use `Infinity` for a stored sign-in. */
  maxAge?: number
  /** The tolerated clock difference in milliseconds; one minute by default. */
  tolerance?: number
  /** The node or provider for contract accounts. Keys are verified without it. */
  chainSource?: ChainSource | ((chainId: ChainId) => ChainSource | undefined)
  /** The timeout of each request to the node in milliseconds; five seconds by default. */
  timeoutMs?: number
}

/** The reason why a sign-in is not valid. */
export type SignInProblem =
  | 'malformed'
  | 'wrong-domain'
  | 'wrong-uri'
  | 'wrong-nonce'
  | 'wrong-chain'
  | 'wrong-account'
  | 'expired'
  | 'not-yet-valid'
  | 'wrong-signature'
  /** No key signed it, and the chain can't be asked about a contract. */
  | 'chain-unreachable'

export type SignInProof =
  | { readonly valid: true; readonly account: AccountId; readonly chainId: ChainId; readonly data: SignInMessage }
  | { readonly valid: false; readonly reason: SignInProblem }

const verifiers: {
  readonly [namespace in Namespace]?: (address: string, message: string, signature: string) => boolean
} = {
  eip155: verifyEip155,
  solana: verifySolana,
  polkadot: verifyPolkadot,
  bip122: verifyBip122,
}

/**
 * Verifies a sign-in (CAIP-122): its text matches what the server expects, and its account signed it. Keys are verified
 * without a request. If no eip155 key signed, the chain is asked about a contract account (ERC-1271, ERC-6492).
 *
 * @param signed the text and the signature from the page
 * @param expected the values that the server expects
 * @returns the account and the parsed message if the sign-in is valid, or the reason why it is not
 * @example
 * const proof = await verifySignIn({ message, signature }, { nonce, domain: 'app.example', now: Date.now() })
 * if (!proof.valid) return reply.code(401).send(proof.reason)
 */
export async function verifySignIn(signed: SignedText, expected: ExpectedSignIn): Promise<SignInProof> {
  const data = parseSignedText(signed)
  if (data === undefined) return { valid: false, reason: 'malformed' }
  const reason = findProblem(data, expected)
  if (reason !== undefined) return { valid: false, reason }
  const { chainId, accountAddress: address } = data
  const isSigned = await verifySignature(data, signed, expected)
  if (isSigned === undefined) return { valid: false, reason: 'chain-unreachable' }
  if (!isSigned) return { valid: false, reason: 'wrong-signature' }
  return { valid: true, account: formatAccountId({ chainId, address }), chainId, data }
}

function parseSignedText({ message, signature }: SignedText): SignInMessage | undefined {
  // Both are untrusted, whatever their types say.
  if (typeof message !== 'string' || typeof signature !== 'string' || message.length > 20_000) return undefined
  try {
    const data = parseSignInMessage(message)
    if (data.chainId.startsWith('eip155:') && !isChecksummed(data.accountAddress)) return undefined
    return data
  } catch (error) {
    if (isLatchkeyError(error)) return undefined
    throw error
  }
}

function findProblem(data: SignInMessage, expected: ExpectedSignIn): SignInProblem | undefined {
  const { now, maxAge = 300_000, tolerance = 60_000, chains, account } = expected
  const domains = typeof expected.domain === 'string' ? [expected.domain] : expected.domain
  const [issued, expires, begins] = [data.issuedAt, data.expirationTime, data.notBefore].map((time) =>
    time === undefined ? undefined : Date.parse(time),
  )
  if (!domains.includes(data.domain)) return 'wrong-domain'
  if (expected.uri === undefined ? !hasMatchingUri(data) : data.uri !== expected.uri) return 'wrong-uri'
  if (data.nonce !== expected.nonce) return 'wrong-nonce'
  if (chains !== undefined && !chains.includes(data.chainId)) return 'wrong-chain'
  if (data.chainId.startsWith('bip122:') && !isOnChain(data.accountAddress, data.chainId)) return 'wrong-chain'
  if (account !== undefined && !isForAccount(data, account)) return 'wrong-account'
  if (expires !== undefined && !(now < expires)) return 'expired'
  if (begins !== undefined && !(begins <= now + tolerance)) return 'not-yet-valid'
  if (issued === undefined || !(issued <= now + tolerance)) return 'not-yet-valid'
  return now - issued > maxAge + tolerance ? 'expired' : undefined
}

/** True if the URI of a sign-in has the authority and scheme of its domain. A page at `www.` may name the bare domain. */
function hasMatchingUri({ domain, uri, scheme }: SignInMessage): boolean {
  const match = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i.exec(uri)
  const isSameSite = match?.[2] === domain || `www.${match?.[2] ?? ''}` === domain
  return match !== null && isSameSite && (scheme === undefined || match[1] === scheme)
}

function isForAccount({ chainId, accountAddress }: SignInMessage, account: AccountId): boolean {
  const { chainId: chain, address, namespace } = parseAccountId(account)
  const isSame =
    namespace === 'eip155' ? address.toLowerCase() === accountAddress.toLowerCase() : address === accountAddress
  return chain === chainId && isSame
}

async function verifySignature(
  { chainId, accountAddress: address }: SignInMessage,
  { message, signature }: SignedText,
  { chainSource, timeoutMs = 5_000 }: ExpectedSignIn,
): Promise<boolean | undefined> {
  const { namespace } = parseChainId(chainId)
  if (!isNamespace(namespace)) return false
  if (verifiers[namespace]?.(address, message, signature) === true) return true
  if (namespace !== 'eip155' || !/^0x(?:[\da-f]{2})+$/i.test(signature)) return false
  const source = typeof chainSource === 'function' ? chainSource(chainId) : chainSource
  if (source === undefined) return false
  const { isSignedByContract } = await import('./contract.ts')
  return isSignedByContract(source, chainId, { address, message, signature }, timeoutMs)
}
