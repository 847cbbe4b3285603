import type { ReactElement } from 'react'

type ChoiceProps<value extends string> = {
  legend: string
  value: value
  choices: { readonly [choice in value]: string }
  onChange: (value: value) => void
}

/** Selects one of a few visible options. */
export function Choice<value extends string>({ legend, value, choices, onChange }: ChoiceProps<value>): ReactElement {
  // Object.entries loses the literal key types of `choices`.
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
