import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useAccount } from '../../../hooks/useAccount.ts'
import { queryClientOf } from '../../../queries/queryClient.ts'
import { tokensQuery } from '../../../queries/tokensQuery.ts'
import { holdingsPart } from '../../../strings/holdings/texts.ts'
import { usePart } from '../../../strings/part.tsx'
import { useDollars } from './useDollars.ts'

/** What all that has a known price is worth. Its line is kept free, so that nothing jumps when it is known. */
export function Worth(): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(holdingsPart)
  const dollars = useDollars()
  const { data } = useQuery(tokensQuery(latchkey, useAccount()), queryClientOf(latchkey))
  const known = (data ?? []).flatMap(({ value }) => value ?? [])
  return (
    <p className="worth figures">
      {known.length > 0 && (
        <>
          <span className="hidden">{t.worth} </span>
          <span>{dollars(known.reduce((all, each) => all + each, 0))}</span>
        </>
      )}
    </p>
  )
}
