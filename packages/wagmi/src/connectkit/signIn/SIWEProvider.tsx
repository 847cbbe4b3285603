import type { SiweConfig, SiweSession } from '@latchkey/core'
import { createContext, useMemo, useState, type Context, type ReactElement, type ReactNode } from 'react'
import { useClientLayoutEffect } from '../../kit/useClientLayoutEffect.ts'

/** The session of a user, as the app's own server reports it. */
export type SIWESession = SiweSession

/** The functions of an app that sign a user in with Ethereum (EIP-4361). */
export type SIWEConfig = {
  getNonce(): Promise<string>
  createMessage(args: { nonce: string; address: string; chainId: number }): string
  verifyMessage(args: { message: string; signature: string }): Promise<boolean>
  getSession(): Promise<SIWESession | null>
  signOut(): Promise<boolean>
  /** All are true by default. */
  enabled?: boolean
  signOutOnDisconnect?: boolean
  signOutOnAccountChange?: boolean
  signOutOnNetworkChange?: boolean
  /** Has no effect: a nonce is requested for each message. */
  nonceRefetchInterval?: number
  /** Has no effect: the session is requested when the account or the network changes. */
  sessionRefetchInterval?: number
}

export type SIWEProviderProps = SIWEConfig & {
  onSignIn?(session?: SIWESession): void
  onSignOut?(): void
  children?: ReactNode
}

/** The sign-in for the provider below. Undefined without one. */
export const SIWEContext: Context<SiweConfig | undefined> = createContext<SiweConfig | undefined>(undefined)

/**
 * Lets the `ConnectKitProvider` below ask users to sign in after they connect. Users can skip it.
 *
 * @param props the functions of the sign-in, which call the app's own server
 * @returns the children
 * @throws nothing: errors of the functions are shown in the modal
 * @example
 * import { createSiweMessage } from 'viem/siwe'
 * import { getAddress } from 'viem'
 * const app = (
 *   <SIWEProvider
 *     getNonce={async () => (await fetch('/nonce')).text()}
 *     createMessage={({ nonce, address, chainId }) =>
 *       createSiweMessage({
 *         domain: location.host,
 *         uri: location.origin,
 *         version: '1',
 *         nonce,
 *         address: getAddress(address),
 *         chainId,
 *       })
 *     }
 *     verifyMessage={async (signed) => (await fetch('/verify', { method: 'POST', body: JSON.stringify(signed) })).ok}
 *     getSession={async () => null}
 *     signOut={async () => (await fetch('/sign-out')).ok}
 *   >
 *     <ConnectKitProvider>…</ConnectKitProvider>
 *   </SIWEProvider>
 * )
 */
export function SIWEProvider({ children, ...props }: SIWEProviderProps): ReactElement {
  const { enabled = true, signOutOnAccountChange, signOutOnDisconnect, signOutOnNetworkChange } = props
  // The functions of an app can change with each rendering, and the sign-in must not.
  const [latest] = useState(() => createHolder<SIWEProviderProps>(props))
  useClientLayoutEffect(() => latest.set(props))
  const config = useMemo(() => {
    if (!enabled) return undefined
    const switches = { signOutOnAccountChange, signOutOnDisconnect, signOutOnNetworkChange }
    return createSiweConfig(latest.get, switches)
  }, [enabled, latest, signOutOnAccountChange, signOutOnDisconnect, signOutOnNetworkChange])
  return <SIWEContext.Provider value={config}>{children}</SIWEContext.Provider>
}

function createHolder<value>(initial: value): { get(): value; set(value: value): void } {
  let current = initial
  return { get: () => current, set: (value) => void (current = value) }
}

type Switches = Pick<SIWEConfig, 'signOutOnAccountChange' | 'signOutOnDisconnect' | 'signOutOnNetworkChange'>

function createSiweConfig(read: () => SIWEProviderProps, switches: Switches): SiweConfig {
  return {
    ...switches,
    required: false,
    getNonce: () => read().getNonce(),
    createMessage: ({ nonce, address, chainId }) => read().createMessage({ nonce, address, chainId }),
    verifyMessage: ({ message, signature }) => read().verifyMessage({ message, signature }),
    getSession: () => read().getSession(),
    signOut: () => read().signOut(),
    onSignIn: (session) => read().onSignIn?.(session),
    onSignOut: () => read().onSignOut?.(),
  }
}
