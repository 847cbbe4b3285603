import type { ReactElement, ReactNode } from 'react'
import { useConnectButtonState, type ConnectButtonState } from './useConnectButtonState.ts'

export type CustomConnectButtonProps = { children(state: ConnectButtonState): ReactNode }

/** Renders a connect button of the app: `ConnectButton.Custom`. */
export function CustomConnectButton({ children }: CustomConnectButtonProps): ReactElement {
  return <>{children(useConnectButtonState({ showBalance: true, showName: true }))}</>
}
