import { buyAgain } from '@latchkey/core/internal'
import { buyState, startBuy, watchBuy, type BuyOrder } from '@latchkey/core/money'
import { goBack, pushView, resetView } from '@latchkey/modal'
import { buyMessages } from '@latchkey/modal/messages'
import { useEffect, useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { FlowMessages } from '../../../../messages/FlowMessages.tsx'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { useStore } from '../../../../useStore.ts'
import { useCopy } from '../../../money/useCopy.ts'
import { Icon, StatusPanel } from '../../../parts/index.tsx'
import { describeOrder } from './describeOrder.ts'

/** The status of a purchase in another window, and the next step. */
export default function BuyInProgressView(): ReactElement {
  return (
    <FlowMessages chunk={buyMessages}>
      <Progress />
    </FlowMessages>
  )
}

function Progress(): ReactElement | null {
  const latchkey = useLatchkey()
  const t = useFlowMessages(buyMessages)
  const { order: present } = useStore(buyState(latchkey))
  // Keeps the last order on screen while the view slides out.
  const [last, setLast] = useState<Exclude<BuyOrder, { status: 'none' }>>()
  if (present.status !== 'none' && present !== last) setLast(present)
  const order = present.status === 'none' ? last : present
  const [looks, setLooks] = useState(0)
  const id = order?.status === 'begun' ? order.id : undefined
  useEffect(() => (id === undefined ? undefined : watchBuy(latchkey)), [latchkey, id, looks])
  if (order === undefined) return <Gone />
  const { state, headline, hint } = describeOrder(t, order)
  return (
    <>
      <StatusPanel wallet={order.provider} state={state} headline={headline} hint={hint} />
      <Actions order={order} lookAgain={() => setLooks(looks + 1)} />
    </>
  )
}

/** Shown if the account changed and no purchase is pending. */
function Gone(): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(buyMessages)
  return (
    <button type="button" className="button" data-primary="" part="primary" onClick={() => restartBuy(latchkey)}>
      {t.buyAgain}
    </button>
  )
}

type ActionsProps = { order: Exclude<BuyOrder, { status: 'none' }>; lookAgain(): void }

function Actions({ order, lookAgain }: ActionsProps): ReactElement | null {
  const latchkey = useLatchkey()
  const t = useFlowMessages(buyMessages)
  const { account } = useModalMessages()
  if (order.status === 'starting') return null
  if (order.status === 'failed') {
    const retry = (): void => void startBuy(latchkey, { waiting: t.opening({ provider: order.provider.name }) })
    return <Primary label={account.retry} onPress={retry} />
  }
  if (order.purchaseStatus === 'arrived') return <Arrived />
  if (order.purchaseStatus === 'failed') return <Primary label={t.buyAgain} onPress={() => restartBuy(latchkey)} />
  return <Pending order={order} lookAgain={lookAgain} />
}

/** Shown once the coins arrived. */
function Arrived(): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(buyMessages)
  const done = (): void => {
    buyAgain(latchkey)
    resetView(latchkey, { view: 'Account', params: {} })
  }
  return (
    <>
      <button type="button" className="button" data-quiet="" onClick={() => restartBuy(latchkey)}>
        {t.buyAgain}
      </button>
      <Primary label={t.done} onPress={done} />
    </>
  )
}

/** A purchase that is not paid yet, or whose coins have not arrived yet. */
function Pending({ order, lookAgain }: { order: BuyOrder & { status: 'begun' }; lookAgain(): void }): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(buyMessages)
  const { pairing, money } = useModalMessages()
  const copy = useCopy()
  return (
    <>
      <div className="buttons">
        <button
          type="button"
          className="button"
          onClick={() => copy(order.url, { done: pairing.copied, failed: pairing.copyFailed })}
        >
          <Icon name="copy" />
          {pairing.copyLink}
        </button>
        {order.overdue && (
          <button
            type="button"
            className="button"
            onClick={() => pushView(latchkey, { view: 'OnRampActivity', params: {} })}
          >
            {money.bought}
          </button>
        )}
      </div>
      {order.overdue ? (
        <Primary label={t.checkAgain} onPress={lookAgain} />
      ) : (
        order.purchaseStatus !== 'paid' && (
          <a
            className="button"
            data-primary={order.window === 'open' ? undefined : ''}
            part={order.window === 'open' ? undefined : 'primary'}
            href={order.url}
            target="_blank"
            rel="noopener noreferrer"
          >
            <Icon name="external" />
            {t.openProvider({ provider: order.provider.name })}
          </a>
        )
      )}
    </>
  )
}

function Primary({ label, onPress }: { label: string; onPress(): void }): ReactElement {
  return (
    <button type="button" className="button" data-primary="" part="primary" onClick={onPress}>
      {label}
    </button>
  )
}

/** Returns to the form with its former values. */
function restartBuy(latchkey: Parameters<typeof buyAgain>[0]): void {
  buyAgain(latchkey)
  goBack(latchkey)
}
