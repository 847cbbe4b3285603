import type { ReactElement, Ref } from 'react'
import { Icon, Mark } from '../parts.tsx'

export type TokenButtonProps = {
  /** Nothing is chosen yet when left out. */
  token?: { readonly symbol: string; readonly iconUrl?: string }
  /** What it says without a token, and its name for who only hears it. */
  label: string
  onPress(): void
  ref?: Ref<HTMLButtonElement>
}

/** The chosen token, and the way to another one. */
export function TokenButton({ token, label, onPress, ref }: TokenButtonProps): ReactElement {
  return (
    <button
      ref={ref}
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
