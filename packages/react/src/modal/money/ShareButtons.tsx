import type { ReactElement } from 'react'
import { useLatchkeyContext } from '../../context.ts'

/** The shares of a balance that have a button, in percent. */
const shares = [25, 50, 75] as const

export type Share = (typeof shares)[number]

export type ShareButtonsProps = {
  /** The name of a button for screen readers: `25% of the balance`. */
  labelOf(percent: string): string
  max: string
  /** The name of the last button for screen readers. */
  maxLabel: string
  onShare(percent: Share): void
  onMax(): void
}

/** Buttons that set the amount to a share of the balance, or to all of it. */
export function ShareButtons({ labelOf, max, maxLabel, onShare, onMax }: ShareButtonsProps): ReactElement {
  const { locale } = useLatchkeyContext()
  const percents = new Intl.NumberFormat(locale, { style: 'percent' })
  return (
    <div className="share-buttons">
      {shares.map((share) => {
        const text = percents.format(share / 100)
        return (
          <button
            key={share}
            type="button"
            className="small-button figures"
            data-strong=""
            aria-label={labelOf(text)}
            onClick={() => onShare(share)}
          >
            {text}
          </button>
        )
      })}
      <button type="button" className="small-button" data-strong="" aria-label={maxLabel} onClick={onMax}>
        {max}
      </button>
    </div>
  )
}
