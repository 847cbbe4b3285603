import type { ReactElement, ReactNode } from 'react'
import { useButtonState, type ConnectKitButtonState } from './useButtonState.ts'

export type CustomConnectKitButtonProps = { children?(state: ConnectKitButtonState): ReactNode }

/** Renders a connect button of the app: `ConnectKitButton.Custom`. */
export function CustomConnectKitButton({ children }: CustomConnectKitButtonProps): ReactElement {
  const state = useButtonState()
  return <>{children?.(state)}</>
}
