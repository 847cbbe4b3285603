import type { ReactElement } from 'react'

type SwitchProps = { label: string; checked: boolean; onChange: (checked: boolean) => void }

/** Turns an option on or off. */
export function Switch({ label, checked, onChange }: SwitchProps): ReactElement {
  return (
    <label className="switch">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  )
}
