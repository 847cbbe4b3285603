import { useRef, type ReactElement } from 'react'
import { Icon } from './index.tsx'

export type SearchFieldProps = {
  label: string
  /** The name of the button that clears the field. */
  clearLabel: string
  value: string
  onChange(value: string): void
}

/** Filters a list. */
export function SearchField({ label, clearLabel, value, onChange }: SearchFieldProps): ReactElement {
  const input = useRef<HTMLInputElement>(null)
  const clear = (): void => {
    onChange('')
    input.current?.focus()
  }
  return (
    <div className="field" part="field">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="search"
        onChange={(event) => onChange(event.target.value)}
      />
      {value !== '' && (
        <button type="button" className="icon-button" aria-label={clearLabel} onClick={clear}>
          <Icon name="close" size={16} />
        </button>
      )}
    </div>
  )
}
