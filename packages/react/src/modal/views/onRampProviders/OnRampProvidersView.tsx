import { pushView, type AccountState } from '@latchkey/core'
import { buyState, forgetBuy, openBuy } from '@latchkey/core/money'
import { isLatchkeyError } from '@latchkey/protocol'
import { useEffect, type ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useAccount } from '../../../hooks/useAccount.ts'
import { buyPart } from '../../../strings/buy/texts.ts'
import { Spoken, usePart } from '../../../strings/part.tsx'
import { useStrings } from '../../../strings/useStrings.ts'
import { useStore } from '../../../useStore.ts'
import { moneyCss } from '../../money/money.css.ts'
import { SkeletonRows } from '../../parts.tsx'
import { useViewStyles } from '../../shadowRoot.ts'
import { buyCss } from './buy.css.ts'
import { BuyForm } from './BuyForm.tsx'

/** A purchase: how much money, what for, from whom. */
export default function OnRampProvidersView(): ReactElement {
  const account = useAccount()
  useViewStyles(moneyCss + buyCss)
  return <Spoken part={buyPart}>{account.status === 'connected' ? <Offer account={account} /> : <Nobody />}</Spoken>
}

function Nobody(): ReactElement {
  return <p className="hint center">{usePart(buyPart).none}</p>
}

function Offer({ account: { account, network } }: { account: AccountState & { status: 'connected' } }): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(buyPart)
  const { status } = useStore(buyState(latchkey))
  // Another account or another network is another offer.
  useEffect(() => void openBuy(latchkey), [latchkey, account, network])
  if (status === 'open') return <BuyForm />
  if (status === 'failed') return <NoOffer network={network.name} />
  return (
    <>
      <p role="status" className="hidden">
        {t.asking}
      </p>
      <ul className="rows">
        <SkeletonRows count={3} />
      </ul>
    </>
  )
}

function NoOffer({ network }: { network: string }): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(buyPart)
  const { account, networks } = useStrings()
  const { error } = useStore(buyState(latchkey))
  const isUnsupported = isLatchkeyError(error, 'buy/unsupported')
  const again = (): void => {
    if (isUnsupported) return pushView(latchkey, { view: 'Networks', params: {} })
    forgetBuy(latchkey)
    void openBuy(latchkey)
  }
  return (
    <>
      <p className="hint center" role="alert">
        {isUnsupported ? t.unsupported(network) : t.offersFailed}
      </p>
      <button type="button" className="button" data-primary="" part="primary" onClick={again}>
        {isUnsupported ? networks.title : account.retry}
      </button>
    </>
  )
}
