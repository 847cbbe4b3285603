import type { Theme } from '@latchkey/react'
import { createContext, useContext, type Context } from 'react'
import type { AuthenticationStatus } from '../signIn/authenticationAdapter.ts'
import type { AvatarComponent } from './avatarComponent.ts'

/** The values that a provider passes to the buttons and hooks below. */
export type RainbowKitValues = {
  readonly theme: Theme
  readonly avatar: AvatarComponent | undefined
  readonly showRecentTransactions: boolean
  /** Undefined for an app without sign-in. */
  readonly authenticationStatus: AuthenticationStatus | undefined
}

export const RainbowKitContext: Context<RainbowKitValues | undefined> = createContext<RainbowKitValues | undefined>(
  undefined,
)

/**
 * Returns the values of the nearest provider.
 *
 * @throws Error outside of a `RainbowKitProvider`
 */
export function useRainbowKit(): RainbowKitValues {
  const values = useContext(RainbowKitContext)
  if (values === undefined) throw new Error('Put a <RainbowKitProvider> around this component.')
  return values
}
