import type { SiweConfig, SiweMessageArgs } from '@latchkey/core'
import { formatSignInMessage, parseSignInMessage } from '@latchkey/protocol'

/** The functions of a sign-in. */
type SiweMethods = Pick<
  SiweConfig,
  | 'getNonce'
  | 'getMessageParams'
  | 'createMessage'
  | 'verifyMessage'
  | 'getSession'
  | 'signOut'
  | 'onSignIn'
  | 'onSignOut'
>

/** The options of `createSIWEConfig`. */
export type SiweClientOptions = SiweConfig & {
  /** Has no effect: a nonce is requested for each message. */
  nonceRefetchIntervalMs?: number
  /** Has no effect: the session is requested when the account or the network changes. */
  sessionRefetchIntervalMs?: number
}

/** The sign-in of `createSIWEConfig`: its options, and its functions as `methods`. */
export type SiweClient = SiweConfig & { readonly methods: SiweMethods }

/**
 * Creates the sign-in for the option `siweConfig`. Accounts outside eip155 count as signed in.
 *
 * @param options the functions that call the app's own server
 * @example
 * const siweConfig = createSIWEConfig({
 *   getNonce: async () => (await fetch('/nonce')).text(),
 *   createMessage: ({ address, ...args }) => formatMessage(args, address),
 *   verifyMessage: async (signed) => (await fetch('/verify', { method: 'POST', body: JSON.stringify(signed) })).ok,
 *   getSession: async () => null,
 *   signOut: async () => (await fetch('/sign-out')).ok,
 * })
 */
export function createSIWEConfig(options: SiweClientOptions): SiweClient {
  const { nonceRefetchIntervalMs: _nonce, sessionRefetchIntervalMs: _session, ...config } = options
  return { ...config, methods: config }
}

/**
 * Formats a sign-in message (EIP-4361).
 *
 * @param args the arguments of `createMessage`
 * @param address the account: an address, or an id that ends with one
 * @throws LatchkeyError `sign-in/invalid` if a field is not valid
 * @example const message = formatMessage(args, '0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb')
 */
export function formatMessage(args: Omit<SiweMessageArgs, 'address'>, address: string): string {
  const { iat, exp, nbf, chainId, ...fields } = args
  return formatSignInMessage({
    ...fields,
    chainId: `eip155:${chainId}`,
    accountAddress: address.slice(address.lastIndexOf(':') + 1),
    issuedAt: iat,
    expirationTime: exp,
    notBefore: nbf,
  })
}

/**
 * Returns the address that a message names.
 *
 * @throws LatchkeyError `sign-in/invalid` if the string is not a sign-in message
 * @example const address = getAddressFromMessage(message)
 */
export function getAddressFromMessage(message: string): string {
  return parseSignInMessage(message).accountAddress
}

/**
 * Returns the chain that a message names, as a CAIP-2 id.
 *
 * @throws LatchkeyError `sign-in/invalid` if the string is not a sign-in message
 * @example const chainId = getChainIdFromMessage(message) // 'eip155:1'
 */
export function getChainIdFromMessage(message: string): string {
  return parseSignInMessage(message).chainId
}
