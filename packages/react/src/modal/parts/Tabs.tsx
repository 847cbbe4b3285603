import type { KeyboardEvent, ReactElement } from 'react'
import { useViewStyles } from '../shell/shadowRoot.ts'
import { tabsCss } from './tabs.css.ts'

type TabsProps<id extends string> = {
  /** The name of the tab list. */
  label: string
  tabs: ReadonlyArray<{ id: id; name: string }>
  chosen: id
  onChoose(id: id): void
  /** The id of the tab panel. */
  panel?: string
}

/** A tab list. Arrow keys move between the tabs, as in the ARIA pattern. */
export function Tabs<id extends string>({ label, tabs, chosen, onChoose, panel }: TabsProps<id>): ReactElement {
  useViewStyles(tabsCss)
  const move = (event: KeyboardEvent<HTMLElement>): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const buttons = [...event.currentTarget.querySelectorAll('button')]
    const side = getComputedStyle(event.currentTarget).direction === 'rtl' ? -step : step
    const index = (tabs.findIndex(({ id }) => id === chosen) + side + buttons.length) % buttons.length
    buttons[index]?.focus()
    buttons[index]?.click()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the tabs have focus, not their list
    <div className="tabs" part="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          role="tab"
          aria-selected={id === chosen}
          aria-controls={panel}
          tabIndex={id === chosen ? 0 : -1}
          onClick={() => onChoose(id)}
        >
          {name}
        </button>
      ))}
    </div>
  )
}
