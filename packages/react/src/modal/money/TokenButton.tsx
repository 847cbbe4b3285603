import type { ReactElement, Ref } from 'react'
import { Icon, Mark } from '../parts/index.tsx'

export type TokenButtonProps = {
  /** Undefined if no token is selected. */
  token?: { readonly symbol: string; readonly iconUrl?: string }
  /** The text without a token, and the name for screen readers. */
  label: string
  onPress(): void
  elementRef?: Ref<HTMLButtonElement>
}

/** A button that shows the selected token and opens the token list. */
export function TokenButton({ token, label, onPress, elementRef }: TokenButtonProps): ReactElement {
  return (
    <button
      ref={elementRef}
      type="button"
      className="token-button"
      data-empty={token === undefined ? '' : undefined}
      aria-label={label}
      onClick={onPress}
    >
      {token === undefined ? (
        <span>{label}</span>
      ) : (
        <>
          <Mark name={token.symbol} icon={token.iconUrl === '' ? undefined : token.iconUrl} />
          <span>{token.symbol}</span>
        </>
      )}
      <Icon name="chevron" size={16} />
    </button>
  )
}
