import { useModal, type Theme } from '@latchkey/react'
import type { MouseEvent, ReactElement, ReactNode } from 'react'
import { useModalView } from './useModalView.ts'

export type KitAccountButtonProps = {
  theme: Theme
  /** The accessible name, if the content has none. */
  label?: string
  isRestoring: boolean
  onClick?: (open: () => void) => void
  children: ReactNode
}

/** The button that shows the connected account and opens it. */
export function KitAccountButton({
  theme,
  label,
  isRestoring,
  onClick = (open) => open(),
  children,
}: KitAccountButtonProps): ReactElement {
  const { open } = useModal()
  const view = useModalView()
  return (
    <button
      type="button"
      className="latchkey-account"
      data-theme={theme}
      data-account={isRestoring ? 'reconnecting' : 'connected'}
      aria-label={label}
      aria-haspopup="dialog"
      aria-expanded={view !== undefined}
      onClick={(event: MouseEvent<HTMLButtonElement>) => {
        // Safari does not focus a clicked button, and focus has to return to it.
        event.currentTarget.focus()
        onClick(() => open({ namespace: 'eip155', entry: { view: 'Account', params: {} } }))
      }}
    >
      {children}
    </button>
  )
}
