import type { ChainId } from './caip.ts'
import type { Namespace } from './namespaces.ts'

/** What a sign-in says, but for the account that signs it (CAIP-122). */
export type SignInRequest = {
  /** The chains on which the signature counts; one message is signed for one of them. */
  chains: readonly ChainId[]
  /** `location.host`: the authority that asks (RFC 3986). */
  domain: string
  /** Of the page that asks, where it is not https: wallets take https for granted. */
  scheme?: string
  uri: string
  nonce: string
  version: '1'
  statement?: string
  /** ISO 8601, as the other times. */
  issuedAt: string
  expirationTime?: string
  notBefore?: string
  requestId?: string
  resources?: readonly string[]
}

/** What one account signs to sign in on one chain. */
export type SignInMessage = Omit<SignInRequest, 'chains'> & { chainId: ChainId; accountAddress: string }

/** A sign-in that was signed: what was said, the very text, and the signature in the family's usual encoding. */
export type SignInSession = {
  data: SignInMessage
  message: string
  signature: string
  /** The account's public key, for families whose addresses do not reveal it. */
  publicKey?: string
  /** The same as a CACAO (CAIP-74), when it came so. */
  cacao?: unknown
}

/** The family whose sign-ins travel with a connection (EIP-4361, EIP-5573), and the only one of the older `siweConfig`. */
export const signInWithEthereum: Namespace = 'eip155'
