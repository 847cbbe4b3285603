import type { AccountState } from '@latchkey/core'
import { resetView } from '@latchkey/modal'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { StatusPanel } from '../../../parts/index.tsx'

/** Shown if no wallet is connected, or while a connection is restored. */
export function NotConnected({ account }: { account: AccountState }): ReactElement {
  const latchkey = useLatchkey()
  const { account: t, connect } = useModalMessages()
  if (account.status !== 'disconnected') {
    return <StatusPanel wallet={{ name: t.title }} state="waiting" headline={t.title} hint={t.reconnecting} />
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
