import { supports, type AccountState } from '@latchkey/core'
import { isNetworkApproved } from '@latchkey/core/internal'
import { swapState } from '@latchkey/core/money'
import { openSwapFlow } from '@latchkey/modal'
import { swapMessages } from '@latchkey/modal/messages'
import { isLatchkeyError, type LatchkeyError } from '@latchkey/protocol'
import { useEffect, type ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { FlowMessages } from '../../../../messages/FlowMessages.tsx'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useStore } from '../../../../useStore.ts'
import { FlowNotConnected } from '../../account/account/NotConnected.tsx'
import { moneyCss } from '../../../money/money.css.ts'
import { NetworkList } from '../../../parts/NetworkList.tsx'
import { SkeletonRows } from '../../../parts/index.tsx'
import { useViewStyles } from '../../../shell/shadowRoot.ts'
import { useNetworkSwitch } from '../../../parts/useNetworkSwitch.ts'
import { Failure } from './Failure.tsx'
import { beginSwap } from './beginSwap.ts'
import { swapCss } from './swap.css.ts'
import { SwapForm } from './SwapForm.tsx'

/** Swaps one token for another. */
export default function SwapView(): ReactElement {
  const account = useAccount()
  useViewStyles(moneyCss + swapCss)
  return (
    <FlowMessages chunk={swapMessages}>
      {account.status === 'connected' ? (
        <Swapping account={account} />
      ) : (
        <FlowNotConnected chunk={swapMessages} account={account} />
      )}
    </FlowMessages>
  )
}

function Swapping({ account }: { account: AccountState & { status: 'connected' } }): ReactElement {
  const latchkey = useLatchkey()
  const { status, error } = useStore(swapState(latchkey))
  useEffect(() => beginSwap(latchkey), [latchkey])
  if (status === 'open') return <SwapForm />
  if (status !== 'failed') return <Waiting />
  if (isLatchkeyError(error, 'swap/unsupported')) return <Unsupported network={account.network.name} />
  return <Failed error={error} />
}

/** A placeholder while the tokens load. */
function Waiting(): ReactElement {
  const t = useFlowMessages(swapMessages)
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
  const t = useFlowMessages(swapMessages)
  return (
    <>
      <Failure error={error} />
      <button
        type="button"
        className="button"
        data-primary=""
        part="primary"
        onClick={() => void openSwapFlow(latchkey)}
      >
        {t.tryAgain}
      </button>
    </>
  )
}

/** Shown if the network has no exchange. Lists the networks that have one. */
function Unsupported({ network }: { network: string }): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(swapMessages)
  // The approved networks may change while the view is open. A swap then restarts on the other network.
  useStore(latchkey.wallet)
  const { state, choose } = useNetworkSwitch(() => {})
  const networks = latchkey.networks.filter((each) => supports(latchkey, 'swaps', each))
  return (
    <>
      <p className="headline center" role="alert">
        {t.unsupported}
      </p>
      <p className="hint center">{networks.length === 0 ? t.unsupportedNone : t.unsupportedHint({ network })}</p>
      <NetworkList
        networks={networks}
        current={undefined}
        isApproved={(each) => isNetworkApproved(latchkey, each)}
        state={state}
        choose={choose}
      />
    </>
  )
}
