import type { ReactElement, ReactNode } from 'react'

type ChoiceProps<value extends string> = {
  legend: string
  value: value
  choices: { readonly [choice in value]: string }
  onChange: (value: value) => void
}

/** One of a few, all in sight. */
export function Choice<value extends string>({ legend, value, choices, onChange }: ChoiceProps<value>): ReactElement {
  // Object.entries forgets the literal keys that the type of `choices` demands.
  const entries = Object.entries(choices) as Array<[value, string]>
  return (
    <fieldset>
      <legend>{legend}</legend>
      <div className="segments">
        {entries.map(([choice, name]) => (
          <label key={choice}>
            <input type="radio" name={legend} checked={value === choice} onChange={() => onChange(choice)} />
            {name}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

type SwitchProps = { label: string; checked: boolean; onChange: (checked: boolean) => void }

/** On or off. */
export function Switch({ label, checked, onChange }: SwitchProps): ReactElement {
  return (
    <label className="switch">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  )
}

type SelectProps = {
  label: string
  value: string
  choices: ReadonlyArray<readonly [value: string, name: string]>
  onChange: (value: string) => void
}

/** One of many. */
export function Select({ label, value, choices, onChange }: SelectProps): ReactElement {
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {choices.map(([choice, name]) => (
          <option key={choice} value={choice}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Options that belong together, folded away until somebody wants them. */
export function Section({
  title,
  open,
  children,
}: {
  title: string
  open?: boolean
  children: ReactNode
}): ReactElement {
  return (
    <details className="section" open={open}>
      <summary>{title}</summary>
      <div className="section-body">{children}</div>
    </details>
  )
}
