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

/** A sign-in as a page sends it: the very text, and what the wallet made of it. */
export type SignedText = { readonly message: string; readonly signature: string }

/** What a server knows of the sign-in that it waits for. */
export type ExpectedSignIn = {
  /** The nonce that was given out for this sign-in. Forget it before asking here: it counts once. */
  nonce: string
  /** The authority of the app, or each of several: `app.example`, `localhost:3000`. */
  domain: string | readonly string[]
  /** Milliseconds since the epoch. */
  now: number
  /** The whole URI; when left out, one of the same authority. */
  uri?: string
  /** The chains that the app offers; any when left out. */
  chains?: readonly ChainId[]
  /** The account that claims to sign in; whoever signed when left out. */
  account?: AccountId
  /** How long ago a sign-in may have been issued, in milliseconds: five minutes when left out, `Infinity` for one kept. */
  maxAge?: number
  /** How far the clocks may be apart, in milliseconds: a minute when left out. */
  tolerance?: number
  /** Whom to ask about accounts that are contracts. Keys are proved without. */
  chainSource?: ChainSource | ((chainId: ChainId) => ChainSource | undefined)
  /** How long it may take for each answer, in milliseconds: five seconds when left out. */
  patience?: number
}

/** Why a sign-in proves nothing. */
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
  /** No key signed it, and the chain that knows whether a contract did cannot be asked. */
  | 'chain-unreachable'

export type SignInProof =
  | { readonly valid: true; readonly account: AccountId; readonly chainId: ChainId; readonly data: SignInMessage }
  | { readonly valid: false; readonly reason: SignInProblem }

const keys: Readonly<Record<Namespace, (address: string, message: string, signature: string) => boolean>> = {
  eip155: verifyEip155,
  solana: verifySolana,
  polkadot: verifyPolkadot,
  bip122: verifyBip122,
}

/**
 * Proves a sign-in: that it says what was to be said, here and now, and that its account signed it. Keys are tried first
 * and need no network; only where no key of eip155 signed, its chain is asked for a contract (ERC-1271, ERC-6492).
 *
 * @example
 * const proof = await verifySignIn({ message, signature }, { nonce, domain: 'app.example', now: Date.now() })
 * if (!proof.valid) return reply.code(401).send(proof.reason)
 */
export async function verifySignIn(signed: SignedText, expected: ExpectedSignIn): Promise<SignInProof> {
  const data = read(signed)
  if (data === undefined) return { valid: false, reason: 'malformed' }
  const reason = problemOf(data, expected)
  if (reason !== undefined) return { valid: false, reason }
  const { chainId, accountAddress: address } = data
  const isSigned = await prove(data, signed, expected)
  if (isSigned === undefined) return { valid: false, reason: 'chain-unreachable' }
  if (!isSigned) return { valid: false, reason: 'wrong-signature' }
  return { valid: true, account: formatAccountId({ chainId, address }), chainId, data }
}

function read({ message, signature }: SignedText): SignInMessage | undefined {
  // Both come from strangers, whatever their types say.
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

function problemOf(data: SignInMessage, expected: ExpectedSignIn): SignInProblem | undefined {
  const { now, maxAge = 300_000, tolerance = 60_000, chains, account } = expected
  const domains = typeof expected.domain === 'string' ? [expected.domain] : expected.domain
  const [issued, expires, begins] = [data.issuedAt, data.expirationTime, data.notBefore].map((time) =>
    time === undefined ? undefined : Date.parse(time),
  )
  if (!domains.includes(data.domain)) return 'wrong-domain'
  if (expected.uri === undefined ? !isAt(data) : data.uri !== expected.uri) return 'wrong-uri'
  if (data.nonce !== expected.nonce) return 'wrong-nonce'
  if (chains !== undefined && !chains.includes(data.chainId)) return 'wrong-chain'
  if (data.chainId.startsWith('bip122:') && !isOnChain(data.accountAddress, data.chainId)) return 'wrong-chain'
  if (account !== undefined && !isOf(data, account)) return 'wrong-account'
  if (expires !== undefined && !(now < expires)) return 'expired'
  if (begins !== undefined && !(begins <= now + tolerance)) return 'not-yet-valid'
  if (issued === undefined || !(issued <= now + tolerance)) return 'not-yet-valid'
  return now - issued > maxAge + tolerance ? 'expired' : undefined
}

/** Whether a sign-in is for a page of the authority that asks. */
function isAt({ domain, uri, scheme }: SignInMessage): boolean {
  const match = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i.exec(uri)
  return match !== null && match[2] === domain && (scheme === undefined || match[1] === scheme)
}

function isOf({ chainId, accountAddress }: SignInMessage, account: AccountId): boolean {
  const { chainId: chain, address, namespace } = parseAccountId(account)
  const isSame =
    namespace === 'eip155' ? address.toLowerCase() === accountAddress.toLowerCase() : address === accountAddress
  return chain === chainId && isSame
}

async function prove(
  { chainId, accountAddress: address }: SignInMessage,
  { message, signature }: SignedText,
  { chainSource, patience = 5_000 }: ExpectedSignIn,
): Promise<boolean | undefined> {
  const { namespace } = parseChainId(chainId)
  if (!isNamespace(namespace)) return false
  if (keys[namespace](address, message, signature)) return true
  if (namespace !== 'eip155' || !/^0x(?:[\da-f]{2})+$/i.test(signature)) return false
  const source = typeof chainSource === 'function' ? chainSource(chainId) : chainSource
  if (source === undefined) return false
  const { isSignedByContract } = await import('./contract.ts')
  return isSignedByContract(source, chainId, { address, message, signature }, patience)
}
