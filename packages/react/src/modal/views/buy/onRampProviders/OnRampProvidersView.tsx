import type { AccountState } from '@latchkey/core'
import { resetBuy } from '@latchkey/core/internal'
import { buyState, openBuy } from '@latchkey/core/money'
import { pushView } from '@latchkey/modal'
import { buyMessages } from '@latchkey/modal/messages'
import { isLatchkeyError } from '@latchkey/protocol'
import { useEffect, type ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { FlowMessages } from '../../../../messages/FlowMessages.tsx'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { useStore } from '../../../../useStore.ts'
import { FlowNotConnected } from '../../account/account/NotConnected.tsx'
import { moneyCss } from '../../../money/money.css.ts'
import { SkeletonRows } from '../../../parts/index.tsx'
import { useViewStyles } from '../../../shell/shadowRoot.ts'
import { buyCss } from './buy.css.ts'
import { BuyForm } from './BuyForm.tsx'

/** Buys coins from a provider. */
export default function OnRampProvidersView(): ReactElement {
  const account = useAccount()
  useViewStyles(moneyCss + buyCss)
  return (
    <FlowMessages chunk={buyMessages}>
      {account.status === 'connected' ? (
        <Offer account={account} />
      ) : (
        <FlowNotConnected chunk={buyMessages} account={account} />
      )}
    </FlowMessages>
  )
}

function Offer({ account: { account, network } }: { account: AccountState & { status: 'connected' } }): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(buyMessages)
  const { status } = useStore(buyState(latchkey))
  // Another account or network has other offers.
  useEffect(() => void openBuy(latchkey), [latchkey, account, network])
  if (status === 'open') return <BuyForm />
  if (status === 'failed') return <NoOffer network={network.name} />
  return (
    <>
      <p role="status" className="hidden">
        {t.quoteLoading}
      </p>
      <ul className="rows">
        <SkeletonRows count={3} />
      </ul>
    </>
  )
}

function NoOffer({ network }: { network: string }): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(buyMessages)
  const { account, networks } = useModalMessages()
  const { error } = useStore(buyState(latchkey))
  const isUnsupported = isLatchkeyError(error, 'buy/unsupported')
  const again = (): void => {
    if (isUnsupported) return pushView(latchkey, { view: 'Networks', params: {} })
    resetBuy(latchkey)
    void openBuy(latchkey)
  }
  return (
    <>
      <p className="hint center" role="alert">
        {isUnsupported ? t.unsupported({ network }) : t.offersFailed}
      </p>
      <button type="button" className="button" data-primary="" part="primary" onClick={again}>
        {isUnsupported ? networks.title : account.retry}
      </button>
    </>
  )
}
