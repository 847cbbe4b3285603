import { displayAmount } from '@latchkey/core'
import type { ReactElement } from 'react'
import { useBalance } from '../../../queries/useBalance.ts'
import { useStrings } from '../../../strings/useStrings.ts'

/** What the account holds of the network's own currency. */
export function NativeBalance(): ReactElement {
  const { account: t } = useStrings()
  const { data, isError } = useBalance()
  if (data !== undefined) {
    return (
      <p className="native figures">
        <span>
          <span className="hidden">{t.balance} </span>
          {displayAmount(data.value, data.decimals)} <small>{data.symbol}</small>
        </span>
      </p>
    )
  }
  return (
    <p className="native" role={isError ? 'alert' : 'status'}>
      {isError ? (
        <span className="hint">{t.balanceFailed}</span>
      ) : (
        <>
          <span className="skeleton" />
          <span className="hidden">{t.balanceWaiting}</span>
        </>
      )}
    </p>
  )
}
