import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { useLatchkey, useLatchkeyContext } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { balanceQuery } from '../../../../queries/balanceQuery.ts'
import { queryClientOf } from '../../../../queries/queryClient.ts'
import { quantityText } from '../../../../messages/quantityText.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { useRoll } from './useRoll.ts'

/** The native balance of the account. Renders nothing on a network that the app does not know. */
export function NativeBalance(): ReactElement | null {
  const latchkey = useLatchkey()
  const { locale } = useLatchkeyContext()
  const { account: t } = useModalMessages()
  const account = useAccount()
  const { data, isError } = useQuery(balanceQuery(latchkey, account), queryClientOf(latchkey))
  const number = useRoll(data?.value)
  if (account.status === 'connected' && !account.supported) return null
  if (data !== undefined) {
    return (
      <p className="native figures">
        <span>
          <span className="hidden">{t.balance} </span>
          <bdi ref={number} className="roll" dir="ltr">
            {quantityText(locale, data.value, data.decimals)} <small>{data.symbol}</small>
          </bdi>
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
          <span className="hidden">{t.balanceLoading}</span>
        </>
      )}
    </p>
  )
}
