import type { SiweConfig, SiweSession } from '@latchkey/core'
import { getAddress } from 'viem'
import type { AuthenticationAdapter, AuthenticationStatus } from './authenticationAdapter.ts'

/** The sign-in of an adapter. */
export type AdapterSignIn = {
  readonly config: SiweConfig
  /**
   * Takes the state of the app's session.
   *
   * @returns true if the app ended a session
   */
  setStatus(status: AuthenticationStatus): boolean
}

/**
 * Converts the adapter of an app to a sign-in of Latchkey.
 *
 * @param connectedAccount returns the account to which a session of the app belongs that Latchkey has not seen before
 */
export function createAdapterSignIn(
  adapter: AuthenticationAdapter<unknown>,
  connectedAccount: () => SiweSession | null,
): AdapterSignIn {
  let draft: { message: unknown; text: string; account: SiweSession } | undefined
  let session: SiweSession | null = null
  let current: AuthenticationStatus = 'loading'
  const config: SiweConfig = {
    required: true,
    signOutOnNetworkChange: false,
    getNonce: () => adapter.getNonce(),
    createMessage({ nonce, address, chainId }) {
      const message = adapter.createMessage({ nonce, address: getAddress(address), chainId })
      const text = adapter.getMessageBody?.({ message }) ?? String(message)
      draft = { message, text, account: { address, chainId } }
      return text
    },
    async verifyMessage({ message: signed, signature }) {
      if (draft === undefined) return false
      const { message, text, account } = draft
      // A phone wallet that signs in while it connects formats the text itself.
      if (signed !== text && typeof message !== 'string') return false
      const isValid = await adapter.verify({ message: signed === text ? message : signed, signature })
      if (isValid) session = account
      return isValid
    },
    async getSession() {
      if (session === null && current === 'authenticated') session = connectedAccount()
      return session
    },
    async signOut() {
      session = null
      await adapter.signOut()
      return true
    },
  }
  return {
    config,
    setStatus(status) {
      if (status === 'loading') return false
      const isEnd = current === 'authenticated' && status === 'unauthenticated'
      current = status
      if (isEnd) session = null
      return isEnd
    },
  }
}
