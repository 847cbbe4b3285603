type ChoiceProps<value extends string> = {
  legend: string
  value: value
  options: readonly { value: value; label: string }[]
  onChoose(value: value): void
}

/** Selects one of a few options. */
export function Choice<value extends string>({ legend, value, options, onChoose }: ChoiceProps<value>) {
  return (
    <fieldset className="choice">
      <legend>{legend}</legend>
      <div className="segments">
        {options.map((option) => (
          <label key={option.value} className="segment">
            <input
              type="radio"
              name={legend}
              checked={option.value === value}
              onChange={() => onChoose(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

type SwitchProps = { label: string; hint: string; isOn: boolean; onChange(isOn: boolean): void }

/** Turns a setting on or off. */
export function Switch({ label, hint, isOn, onChange }: SwitchProps) {
  return (
    <label className="row switch">
      <span className="row-text">
        {label}
        <small>{hint}</small>
      </span>
      <input
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  )
}
