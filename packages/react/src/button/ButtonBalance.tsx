import type { Namespace } from '@latchkey/protocol'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { useLatchkey, useLatchkeyContext } from '../context.ts'
import { useAccount } from '../hooks/useAccount.ts'
import { quantityText } from '../messages/quantityText.ts'
import { balanceQuery } from '../queries/balanceQuery.ts'
import { queryClientOf } from '../queries/queryClient.ts'

/** The native balance, once it is known. */
export function ButtonBalance({ namespace }: { namespace: Namespace | undefined }): ReactElement | null {
  const latchkey = useLatchkey()
  const { locale } = useLatchkeyContext()
  const { data } = useQuery(balanceQuery(latchkey, useAccount(namespace)), queryClientOf(latchkey))
  if (data === undefined) return null
  return (
    <b>
      {quantityText(locale, data.value, data.decimals)} {data.symbol}
    </b>
  )
}
