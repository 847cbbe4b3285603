import type { ReactElement } from 'react'

type SelectProps = {
  label: string
  value: string
  choices: ReadonlyArray<readonly [value: string, name: string]>
  onChange: (value: string) => void
}

/** Selects one of many options. */
export function Select({ label, value, choices, onChange }: SelectProps): ReactElement {
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {choices.map(([choice, name]) => (
          // The names of languages differ between the host and some browsers.
          <option key={choice} value={choice} suppressHydrationWarning>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
