import { createContext, useContext, type Context } from 'react'
import type { Theme } from '@latchkey/react'
import type { ConnectKitOptions } from './connectKitOptions.ts'

/** The values that a provider passes to the buttons and hooks below. */
export type ConnectKitValues = {
  readonly theme: Theme
  readonly options: ConnectKitOptions
  readonly hasSignIn: boolean
}

export const ConnectKitContext: Context<ConnectKitValues | undefined> = createContext<ConnectKitValues | undefined>(
  undefined,
)

/**
 * Returns the values of the nearest provider.
 *
 * @throws Error outside of a `ConnectKitProvider`
 */
export function useConnectKit(): ConnectKitValues {
  const values = useContext(ConnectKitContext)
  if (values === undefined) throw new Error('Put a <ConnectKitProvider> around this component.')
  return values
}
