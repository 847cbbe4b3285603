import { goBack, pushView, resetView } from '@latchkey/core'
import { buyAgain, buyState, startBuy, watchBuy, type BuyOrder } from '@latchkey/core/money'
import { useEffect, useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { buyPart } from '../../../strings/buy/texts.ts'
import { Spoken, usePart } from '../../../strings/part.tsx'
import { useStrings } from '../../../strings/useStrings.ts'
import { useStore } from '../../../useStore.ts'
import { useCopy } from '../../money/useCopy.ts'
import { Icon, Standing } from '../../parts.tsx'
import { sayOrder } from './sayOrder.ts'

/** A purchase that goes on in another window: how it stands, and the way on. */
export default function BuyInProgressView(): ReactElement {
  return (
    <Spoken part={buyPart}>
      <Progress />
    </Spoken>
  )
}

function Progress(): ReactElement | null {
  const latchkey = useLatchkey()
  const t = usePart(buyPart)
  const { order: present } = useStore(buyState(latchkey))
  // What was on show stays while the view leaves.
  const [last, setLast] = useState<Exclude<BuyOrder, { status: 'none' }>>()
  if (present.status !== 'none' && present !== last) setLast(present)
  const order = present.status === 'none' ? last : present
  const [looks, setLooks] = useState(0)
  const id = order?.status === 'begun' ? order.id : undefined
  useEffect(() => (id === undefined ? undefined : watchBuy(latchkey)), [latchkey, id, looks])
  if (order === undefined) return <Gone />
  const { state, headline, hint } = sayOrder(t, order)
  return (
    <>
      <Standing wallet={order.provider} state={state} headline={headline} hint={hint} />
      <Ways order={order} lookAgain={() => setLooks(looks + 1)} />
    </>
  )
}

/** Nothing is under way any more: the account is another one. */
function Gone(): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(buyPart)
  return (
    <button type="button" className="button" data-primary="" part="primary" onClick={() => again(latchkey)}>
      {t.again}
    </button>
  )
}

type WaysProps = { order: Exclude<BuyOrder, { status: 'none' }>; lookAgain(): void }

function Ways({ order, lookAgain }: WaysProps): ReactElement | null {
  const latchkey = useLatchkey()
  const t = usePart(buyPart)
  const { account } = useStrings()
  if (order.status === 'starting') return null
  if (order.status === 'failed') {
    const retry = (): void => void startBuy(latchkey, { waiting: t.opening(order.provider.name) })
    return <Primary label={account.retry} onPress={retry} />
  }
  if (order.standing === 'arrived') return <Arrived />
  if (order.standing === 'failed') return <Primary label={t.again} onPress={() => again(latchkey)} />
  return <Pending order={order} lookAgain={lookAgain} />
}

/** The coins are there. */
function Arrived(): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(buyPart)
  const done = (): void => {
    buyAgain(latchkey)
    resetView(latchkey, { view: 'Account', params: {} })
  }
  return (
    <>
      <button type="button" className="button" data-quiet="" onClick={() => again(latchkey)}>
        {t.again}
      </button>
      <Primary label={t.done} onPress={done} />
    </>
  )
}

/** It may still come, or has still to be paid. */
function Pending({ order, lookAgain }: { order: BuyOrder & { status: 'begun' }; lookAgain(): void }): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(buyPart)
  const { pairing, money } = useStrings()
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
        <Primary label={t.lookAgain} onPress={lookAgain} />
      ) : (
        order.standing !== 'paid' && (
          <a
            className="button"
            data-primary={order.window === 'open' ? undefined : ''}
            part={order.window === 'open' ? undefined : 'primary'}
            href={order.url}
            target="_blank"
            rel="noopener noreferrer"
          >
            <Icon name="external" />
            {t.open(order.provider.name)}
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

/** Back to the form, with what was chosen there. */
function again(latchkey: Parameters<typeof buyAgain>[0]): void {
  buyAgain(latchkey)
  goBack(latchkey)
}
