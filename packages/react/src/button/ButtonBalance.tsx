import { displayAmount } from '@latchkey/core'
import type { ReactElement } from 'react'
import { useBalance } from '../queries/useBalance.ts'

/** The native balance, once it is known. */
export function ButtonBalance(): ReactElement | null {
  const { data } = useBalance()
  if (data === undefined) return null
  return (
    <span className="latchkey-button-balance">
      {displayAmount(data.value, data.decimals)} {data.symbol}
    </span>
  )
}
