import type { AccountState } from '@latchkey/core'
import { resetView } from '@latchkey/modal'
import type { MessageChunk } from '@latchkey/protocol/messages'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { StatusPanel } from '../../../parts/index.tsx'

/** Shown by the first view of a flow if no wallet is connected. Says what a wallet is needed for. */
export function FlowNotConnected<messages extends { notConnected: string }>({
  chunk,
  account,
}: {
  chunk: MessageChunk<messages>
  account: AccountState
}): ReactElement {
  const { notConnected } = useFlowMessages(chunk)
  return (
    <>
      {account.status === 'disconnected' && <p className="hint center">{notConnected}</p>}
      <NotConnected account={account} />
    </>
  )
}

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
