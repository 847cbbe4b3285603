import type { ReactElement } from 'react'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'

/** A full address, which screen readers spell. */
export function WholeAddress({ address }: { address: string }): ReactElement {
  const { account: t } = useModalMessages()
  return (
    <p className="mono">
      <bdi dir="ltr" aria-hidden="true">
        {address}
      </bdi>
      <span className="hidden">{`${t.fullAddress}: ${[...address].join(' ')}`}</span>
    </p>
  )
}
