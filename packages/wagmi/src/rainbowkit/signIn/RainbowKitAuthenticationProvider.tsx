import { createContext, useMemo, type Context, type ReactElement, type ReactNode } from 'react'
import type { AuthenticationAdapter, AuthenticationStatus } from './authenticationAdapter.ts'

/** The sign-in of an app. */
export type Authentication = {
  readonly adapter: AuthenticationAdapter<unknown>
  readonly status: AuthenticationStatus
}

/** The sign-in for the provider below. Undefined without one. */
export const AuthenticationContext: Context<Authentication | undefined> = createContext<Authentication | undefined>(
  undefined,
)

export type RainbowKitAuthenticationProviderProps<Message> = {
  /** Create it once, outside the component or with `useMemo`. */
  adapter: AuthenticationAdapter<Message>
  /** The state of the session, which the app keeps. */
  status: AuthenticationStatus
  /** False for an app without sign-in. True by default. */
  enabled?: boolean
  children?: ReactNode
}

/**
 * Lets the `RainbowKitProvider` below ask users to sign in after they connect. Users can't skip it: cancelling disconnects the
 * wallet. A change of the account and a disconnect call `signOut`.
 *
 * @param props the functions of the sign-in, and the state of the app's session
 * @returns the children
 * @throws nothing: errors of the functions are shown in the modal
 * @example
 * <RainbowKitAuthenticationProvider adapter={authenticationAdapter} status="unauthenticated">
 *   <RainbowKitProvider>…</RainbowKitProvider>
 * </RainbowKitAuthenticationProvider>
 */
export function RainbowKitAuthenticationProvider<Message>({
  adapter,
  status,
  enabled = true,
  children,
}: RainbowKitAuthenticationProviderProps<Message>): ReactElement {
  // The messages that an adapter receives are those that it created.
  const value = useMemo(() => ({ adapter: adapter as AuthenticationAdapter<unknown>, status }), [adapter, status])
  return <AuthenticationContext.Provider value={enabled ? value : undefined}>{children}</AuthenticationContext.Provider>
}
