import type { ReactElement } from 'react'
import { useStrings } from '../../../strings/useStrings.ts'

/** All of an address, spoken letter by letter. */
export function WholeAddress({ address }: { address: string }): ReactElement {
  const { account: t } = useStrings()
  return (
    <p className="mono">
      <bdi dir="ltr" aria-hidden="true">
        {address}
      </bdi>
      <span className="hidden">{`${t.fullAddress}: ${[...address].join(' ')}`}</span>
    </p>
  )
}
