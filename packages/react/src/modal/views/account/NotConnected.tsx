import { resetView, type AccountState } from '@latchkey/core'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useStrings } from '../../../strings/useStrings.ts'
import { Standing } from '../../parts.tsx'

/** Nobody is connected, or not yet again. */
export function NotConnected({ account }: { account: AccountState }): ReactElement {
  const latchkey = useLatchkey()
  const { account: t, connect } = useStrings()
  if (account.status !== 'disconnected') {
    return <Standing wallet={{ name: t.title }} state="waiting" headline={t.title} hint={t.reconnecting} />
  }
  return (
    <button
      type="button"
      className="button"
      data-primary=""
      part="primary"
      onClick={() => resetView(latchkey, { view: 'Connect', params: {} })}
    >
      {connect.title}
    </button>
  )
}
