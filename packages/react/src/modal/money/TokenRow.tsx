import type { ReactElement } from 'react'
import { useLatchkeyContext } from '../../context.ts'
import { quantityText } from '../../messages/quantityText.ts'
import { Mark } from '../parts/index.tsx'
import { dollarText } from './dollarText.ts'

/** A token of the token list. */
export type ListedToken = {
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  readonly iconUrl?: string
  /** In base units. Undefined if unknown. */
  readonly balance?: bigint
  /** The value in dollars. Undefined if unknown. */
  readonly dollars?: number
}

/** A row of the token list: name, balance and value. */
export function TokenRow({
  token,
  current,
  onChoose,
}: {
  token: ListedToken
  current?: boolean
  onChoose(): void
}): ReactElement {
  const { locale } = useLatchkeyContext()
  const { name, symbol, decimals, iconUrl, balance, dollars } = token
  return (
    <li>
      <button type="button" className="row" part="row" aria-current={current} onClick={onChoose}>
        <Mark name={symbol} icon={iconUrl === '' ? undefined : iconUrl} />
        <span className="text">
          <span className="name">{name}</span>
          <span className="sub">{symbol}</span>
        </span>
        {balance !== undefined && (
          <span className="amount figures">
            <span className="name">
              <bdi dir="ltr">{quantityText(locale, balance, decimals)}</bdi>
            </span>
            {dollars !== undefined && <span className="sub">{dollarText(locale, dollars)}</span>}
          </span>
        )}
      </button>
    </li>
  )
}
