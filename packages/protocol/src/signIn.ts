import type { ChainId } from './caip/accountId.ts'
import type { Namespace } from './namespaces.ts'

/** A sign-in request without the account (CAIP-122). */
export type SignInRequest = {
  /** The chains on which the signature is valid. Each signed message names one of them. */
  chains: readonly ChainId[]
  /** The requesting authority (RFC 3986), usually `location.host`. */
  domain: string
  /** The page's scheme if it is not https. Wallets assume https. */
  scheme?: string
  uri: string
  nonce: string
  version: '1'
  statement?: string
  /** ISO 8601, like the other times. */
  issuedAt: string
  expirationTime?: string
  notBefore?: string
  requestId?: string
  resources?: readonly string[]
}

/** The message that one account signs for one chain. */
export type SignInMessage = Omit<SignInRequest, 'chains'> & { chainId: ChainId; accountAddress: string }

/** A signed sign-in: its data, the exact text, and the signature in the namespace's usual encoding. */
export type SignInSession = {
  data: SignInMessage
  message: string
  signature: string
  /** The account's public key, for namespaces whose addresses do not reveal it. */
  publicKey?: string
  /** The CACAO (CAIP-74), if the wallet returned one. */
  cacao?: unknown
}

/** The namespace that can sign in while connecting (EIP-4361, EIP-5573). The older `siweConfig` supports only this one. */
export const signInWithEthereum: Namespace = 'eip155'
