import { supports } from '@latchkey/core'
import { pushView } from '@latchkey/modal'
import { sendMessages } from '@latchkey/modal/messages'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { FlowMessages } from '../../../../messages/FlowMessages.tsx'
import { FlowNotConnected } from '../../account/account/NotConnected.tsx'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { moneyCss } from '../../../money/money.css.ts'
import { accountCss } from '../../account/account/account.css.ts'
import { sendCss } from './send.css.ts'
import { useViewStyles } from '../../../shell/shadowRoot.ts'
import { SendForm } from './SendForm.tsx'

/** Sends a payment. */
export default function WalletSendView(): ReactElement {
  const latchkey = useLatchkey()
  const account = useAccount()
  useViewStyles(accountCss + moneyCss + sendCss)
  return (
    <FlowMessages chunk={sendMessages}>
      {account.status !== 'connected' ? (
        <FlowNotConnected chunk={sendMessages} account={account} />
      ) : supports(latchkey, 'send', account.network) ? (
        <SendForm account={account} />
      ) : (
        <Unsupported network={account.network.name} />
      )}
    </FlowMessages>
  )
}

function Unsupported({ network }: { network: string }): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(sendMessages)
  const { networks } = useModalMessages()
  return (
    <>
      <p className="hint center" role="alert">
        {t.unsupported({ network })}
      </p>
      <button
        type="button"
        className="button"
        data-primary=""
        onClick={() => pushView(latchkey, { view: 'Networks', params: {} })}
      >
        {networks.title}
      </button>
    </>
  )
}
