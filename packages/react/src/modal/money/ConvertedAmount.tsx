import type { ReactElement } from 'react'
import { useLatchkeyContext } from '../../context.ts'
import { Icon } from '../parts/index.tsx'
import { dollarText } from './dollarText.ts'

export type ConvertedAmountProps = {
  /** The amount in tokens, formatted with its symbol. */
  tokens: string
  /** The amount in dollars; undefined if it is unknown. */
  dollars: number | undefined
  /** True if the field is in dollars, so that the tokens are shown here. */
  inDollars: boolean
  /** Tells screen readers which unit the button switches to. */
  label: string
  turn(): void
}

/** The amount in the unit that the field does not use, with a button that switches the units. */
export function ConvertedAmount({ tokens, dollars, inDollars, label, turn }: ConvertedAmountProps): ReactElement {
  const { locale } = useLatchkeyContext()
  return (
    <button type="button" className="small-button figures" onClick={turn}>
      <span className="hidden">{label}</span>
      <bdi dir="ltr">{inDollars ? tokens : dollarText(locale, dollars ?? 0)}</bdi>
      <Icon name="turn" size={16} />
    </button>
  )
}
