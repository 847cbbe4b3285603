import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { queryClientOf } from '../../../../queries/queryClient.ts'
import { tokensQuery } from '../../../../queries/tokensQuery.ts'
import { holdingsMessages } from '@latchkey/modal/messages'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useDollars } from './useDollars.ts'

/** The total value of all tokens with a known price. Its line is reserved, so that the layout does not shift. */
export function TotalValue(): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(holdingsMessages)
  const dollars = useDollars()
  const { data } = useQuery(tokensQuery(latchkey, useAccount()), queryClientOf(latchkey))
  const known = (data ?? []).flatMap(({ value }) => value ?? [])
  return (
    <p className="worth figures">
      {known.length > 0 && (
        <>
          <span className="hidden">{t.totalValue} </span>
          <span>{dollars(known.reduce((all, each) => all + each, 0))}</span>
        </>
      )}
    </p>
  )
}
