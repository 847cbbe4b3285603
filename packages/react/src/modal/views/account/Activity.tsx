import { showToast } from '@latchkey/core'
import { pendingTransactions, type PendingTransaction } from '@latchkey/core/money'
import { useEffect, type ReactElement } from 'react'
import { useLatchkey, useSurroundings } from '../../../context.ts'
import { useAccount } from '../../../hooks/useAccount.ts'
import { useHistory } from '../../../hooks/useHistory.ts'
import { holdingsPart } from '../../../strings/holdings/texts.ts'
import { usePart } from '../../../strings/part.tsx'
import { useStore } from '../../../useStore.ts'
import { SkeletonRows } from '../../parts.tsx'
import { ActivityRow, PendingRow } from './ActivityRow.tsx'
import { Empty, Unread } from './Empty.tsx'
import { More } from './More.tsx'
import { monthsOf } from './months.ts'

/** What is on its way, and what the account did on its network, month by month. */
export function Activity(): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(holdingsPart)
  const pages = useHistory()
  const known = new Set(pages.data.map(({ metadata }) => metadata.hash))
  const pending = usePending().filter(({ hash }) => !known.has(hash))
  const isFailed = pages.status === 'error'
  useEffect(() => {
    if (isFailed) showToast(latchkey, t.activityFailed, { variant: 'error' })
  }, [latchkey, isFailed, t])
  return (
    <>
      {pending.length > 0 && (
        <section className="group" aria-labelledby="pending">
          <h2 id="pending" className="figures" role="status">
            {t.pending(pending.length)}
          </h2>
          <ul className="rows">
            {pending.map((transaction) => (
              <PendingRow key={transaction.hash} transaction={transaction} />
            ))}
          </ul>
        </section>
      )}
      {isFailed ? (
        <Unread title={t.activityFailed} hint={t.activityFailedHint} retry={pages.retry} />
      ) : pages.status === 'pending' ? (
        <>
          <p role="status" className="hidden">
            {t.activityWaiting}
          </p>
          <ul className="rows">
            <SkeletonRows count={3} />
          </ul>
        </>
      ) : pages.data.length === 0 && !pages.hasMore ? (
        pending.length === 0 && <Empty text={t.noActivity} />
      ) : (
        <Months pages={pages} />
      )}
    </>
  )
}

function Months({ pages }: { pages: ReturnType<typeof useHistory> }): ReactElement {
  const { clock } = useLatchkey()
  const { locale } = useSurroundings()
  const now = clock.now()
  return (
    <>
      {monthsOf(pages.data, now, locale).map(({ key, title, items }) => (
        <section key={key} className="group" aria-labelledby={`month-${key}`}>
          <h2 id={`month-${key}`}>{title}</h2>
          <ul className="rows">
            {items.map((item) => (
              <ActivityRow key={item.id} item={item} now={now} />
            ))}
          </ul>
        </section>
      ))}
      <More pages={pages} />
    </>
  )
}

/** The transactions of this account on this network that are on their way. */
function usePending(): readonly PendingTransaction[] {
  const latchkey = useLatchkey()
  const account = useAccount()
  const all = useStore(pendingTransactions(latchkey))
  if (account.status !== 'connected') return []
  const { address, network } = account
  return all.filter(({ from, chainId }) => chainId === network.caipNetworkId && from.endsWith(`:${address}`))
}
