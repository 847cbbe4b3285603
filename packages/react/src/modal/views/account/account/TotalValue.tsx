import { hiddenAssets, isHiddenAsset } from '@latchkey/core/money'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { queryClientOf } from '../../../../queries/queryClient.ts'
import { tokensQuery } from '../../../../queries/tokensQuery.ts'
import { useStore } from '../../../../useStore.ts'
import { holdingsMessages } from '@latchkey/modal/messages'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useDollars } from './useDollars.ts'
import { useRoll } from './useRoll.ts'

/** The total value of all tokens with a known price. Its line is reserved, so that the layout does not shift. */
export function TotalValue(): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(holdingsMessages)
  const dollars = useDollars()
  const { data } = useQuery(tokensQuery(latchkey, useAccount()), queryClientOf(latchkey))
  const hidden = useStore(hiddenAssets(latchkey))
  const known = (data ?? []).flatMap(({ address, value }) => (isHiddenAsset(hidden, address) ? [] : (value ?? [])))
  const total = known.length > 0 ? known.reduce((all, each) => all + each, 0) : undefined
  const number = useRoll(total)
  return (
    <p className="worth figures">
      {total !== undefined && (
        <span ref={number} className="roll" title={t.totalValue}>
          {t.totalLabel({ amount: dollars(total) })}
        </span>
      )}
    </p>
  )
}
