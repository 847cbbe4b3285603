import type { KeyboardEvent, ReactElement } from 'react'
import { useStrings } from '../../strings/useStrings.ts'
import { useViewStyles } from '../shadowRoot.ts'
import type { Platform } from './platforms.ts'
import { qrCss } from './qr.css.ts'

type PlatformTabsProps = {
  platforms: readonly Platform[]
  chosen: Platform
  onChoose(platform: Platform): void
}

/** Where the wallet is. Arrow keys move between the tabs, as the ARIA pattern has it. */
export function PlatformTabs({ platforms, chosen, onChoose }: PlatformTabsProps): ReactElement {
  const { pairing: t } = useStrings()
  useViewStyles(qrCss)
  const move = (event: KeyboardEvent<HTMLElement>): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const tabs = [...event.currentTarget.querySelectorAll('button')]
    const side = getComputedStyle(event.currentTarget).direction === 'rtl' ? -step : step
    const index = (platforms.indexOf(chosen) + side + tabs.length) % tabs.length
    tabs[index]?.focus()
    tabs[index]?.click()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the tabs have focus, not their list
    <div className="tabs" part="tabs" role="tablist" aria-label={t.tabs} onKeyDown={move}>
      {platforms.map((platform) => (
        <button
          key={platform}
          type="button"
          role="tab"
          aria-selected={platform === chosen}
          tabIndex={platform === chosen ? 0 : -1}
          onClick={() => onChoose(platform)}
        >
          {t.platforms[platform]}
        </button>
      ))}
    </div>
  )
}
