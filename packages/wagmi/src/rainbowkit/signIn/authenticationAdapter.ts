/** The functions of an app that sign a user in with Ethereum (EIP-4361). */
export type AuthenticationAdapter<Message> = {
  getNonce(): Promise<string>
  createMessage(args: { nonce: string; address: `0x${string}`; chainId: number }): Message
  /** Returns the text to sign, if `createMessage` returns something else. */
  getMessageBody?(args: { message: Message }): string
  verify(args: { message: Message; signature: string }): Promise<boolean>
  signOut(): Promise<void>
}

/** The state of the app's session. `loading` until it is known. */
export type AuthenticationStatus = 'authenticated' | 'loading' | 'unauthenticated'

/**
 * Returns the functions of a sign-in with their types, for `RainbowKitAuthenticationProvider`.
 *
 * @param adapter the functions that call the app's own server
 * @returns the same object
 * @example
 * import { createSiweMessage } from 'viem/siwe'
 * const adapter = createAuthenticationAdapter({
 *   getNonce: async () => (await fetch('/nonce')).text(),
 *   createMessage: ({ nonce, address, chainId }) =>
 *     createSiweMessage({ domain: location.host, uri: location.origin, version: '1', nonce, address, chainId }),
 *   verify: async (signed) => (await fetch('/verify', { method: 'POST', body: JSON.stringify(signed) })).ok,
 *   signOut: async () => void (await fetch('/sign-out')),
 * })
 */
export function createAuthenticationAdapter<Message>(
  adapter: AuthenticationAdapter<Message>,
): AuthenticationAdapter<Message> {
  return adapter
}
