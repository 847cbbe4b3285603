import { isApproved, supports, type AccountState } from '@latchkey/core'
import { openSwap, swapState } from '@latchkey/core/money'
import { isLatchkeyError, type LatchkeyError } from '@latchkey/protocol'
import { useEffect, type ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useAccount } from '../../../hooks/useAccount.ts'
import { Spoken, usePart } from '../../../strings/part.tsx'
import { swapPart } from '../../../strings/swap/texts.ts'
import { useStore } from '../../../useStore.ts'
import { moneyCss } from '../../money/money.css.ts'
import { NetworkList } from '../../parts/NetworkList.tsx'
import { SkeletonRows } from '../../parts.tsx'
import { useViewStyles } from '../../shadowRoot.ts'
import { useSwitch } from '../../useSwitch.ts'
import { Failure } from './Failure.tsx'
import { swapCss } from './swap.css.ts'
import { SwapForm } from './SwapForm.tsx'

/** One token for another: what is given, what it gives, and on which terms. */
export default function SwapView(): ReactElement {
  const account = useAccount()
  useViewStyles(moneyCss + swapCss)
  return <Spoken part={swapPart}>{account.status === 'connected' ? <Swapping account={account} /> : <Nobody />}</Spoken>
}

function Nobody(): ReactElement {
  return <p className="hint center">{usePart(swapPart).nobody}</p>
}

function Swapping({ account }: { account: AccountState & { status: 'connected' } }): ReactElement {
  const latchkey = useLatchkey()
  const { status, error } = useStore(swapState(latchkey))
  useEffect(() => {
    if (swapState(latchkey).getState().status === 'closed') void openSwap(latchkey)
  }, [latchkey])
  if (status === 'open') return <SwapForm />
  if (status !== 'failed') return <Waiting />
  if (isLatchkeyError(error, 'swap/unsupported')) return <Unsupported network={account.network.name} />
  return <Failed error={error} />
}

/** The room of what is being read. */
function Waiting(): ReactElement {
  const t = usePart(swapPart)
  return (
    <>
      <p role="status" className="hidden">
        {t.waiting}
      </p>
      <ul className="rows">
        <SkeletonRows count={4} />
      </ul>
    </>
  )
}

function Failed({ error }: { error: LatchkeyError | undefined }): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(swapPart)
  return (
    <>
      <Failure error={error} />
      <button type="button" className="button" data-primary="" part="primary" onClick={() => void openSwap(latchkey)}>
        {t.tryAgain}
      </button>
    </>
  )
}

/** The network has no exchange that is known: choose one that has. */
function Unsupported({ network }: { network: string }): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(swapPart)
  // What a wallet approved may change while one looks. A swap begins anew by itself on the other network.
  useStore(latchkey.wallet)
  const { state, choose } = useSwitch(() => {})
  const networks = latchkey.networks.filter((each) => supports(latchkey, 'swaps', each))
  return (
    <>
      <p className="headline center" role="alert">
        {t.unsupported}
      </p>
      <p className="hint center">{networks.length === 0 ? t.unsupportedNone : t.unsupportedHint(network)}</p>
      <NetworkList
        networks={networks}
        current={undefined}
        isApproved={(each) => isApproved(latchkey, each)}
        state={state}
        choose={choose}
      />
    </>
  )
}
