import { pushView, supports } from '@latchkey/core'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useAccount } from '../../../hooks/useAccount.ts'
import { Spoken, usePart } from '../../../strings/part.tsx'
import { sendPart } from '../../../strings/send/texts.ts'
import { useStrings } from '../../../strings/useStrings.ts'
import { moneyCss } from '../../money/money.css.ts'
import { sendCss } from './send.css.ts'
import { useViewStyles } from '../../shadowRoot.ts'
import { SendForm } from './SendForm.tsx'

/** A payment: what, how much, to whom. */
export default function WalletSendView(): ReactElement {
  const latchkey = useLatchkey()
  const account = useAccount()
  useViewStyles(moneyCss + sendCss)
  return (
    <Spoken part={sendPart}>
      {account.status !== 'connected' ? (
        <Nobody />
      ) : supports(latchkey, 'send', account.network) ? (
        <SendForm account={account} />
      ) : (
        <Unsupported network={account.network.name} />
      )}
    </Spoken>
  )
}

function Nobody(): ReactElement {
  return <p className="hint center">{usePart(sendPart).none}</p>
}

function Unsupported({ network }: { network: string }): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(sendPart)
  const { networks } = useStrings()
  return (
    <>
      <p className="hint center" role="alert">
        {t.unsupported(network)}
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
