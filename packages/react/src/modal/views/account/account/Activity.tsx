import { internalsOf } from '@latchkey/core/internal'
import { pendingTransactions, type PendingTransaction } from '@latchkey/core/money'
import { showToast } from '@latchkey/modal'
import { holdingsMessages } from '@latchkey/modal/messages'
import { useEffect, type ReactElement } from 'react'
import { useLatchkey, useLatchkeyContext } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { useHistory } from '../../../../hooks/useHistory.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useStore } from '../../../../useStore.ts'
import { SkeletonRows } from '../../../parts/index.tsx'
import { ActivityRow, PendingRow } from './ActivityRow.tsx'
import { EmptyList, LoadFailed } from './EmptyList.tsx'
import { More } from './More.tsx'
import { monthsOf } from './monthsOf.ts'

/** Pending transactions, and the transactions of the account on its network by month. */
export function Activity(): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(holdingsMessages)
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
            {t.pending({ count: pending.length })}
          </h2>
          <ul className="rows">
            {pending.map((transaction) => (
              <PendingRow key={transaction.hash} transaction={transaction} />
            ))}
          </ul>
        </section>
      )}
      {isFailed ? (
        <LoadFailed title={t.activityFailed} hint={t.activityFailedHint} retry={pages.retry} />
      ) : pages.status === 'pending' ? (
        <>
          <p role="status" className="hidden">
            {t.activityLoading}
          </p>
          <ul className="rows">
            <SkeletonRows count={3} />
          </ul>
        </>
      ) : pages.data.length === 0 && !pages.hasMore ? (
        pending.length === 0 && <EmptyList text={t.noActivity} />
      ) : (
        <Months pages={pages} />
      )}
    </>
  )
}

function Months({ pages }: { pages: ReturnType<typeof useHistory> }): ReactElement {
  const { clock } = internalsOf(useLatchkey())
  const { locale } = useLatchkeyContext()
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

/** Returns the pending transactions of the account on its network. */
function usePending(): readonly PendingTransaction[] {
  const latchkey = useLatchkey()
  const account = useAccount()
  const all = useStore(pendingTransactions(latchkey))
  if (account.status !== 'connected') return []
  const { address, network } = account
  return all.filter(({ from, chainId }) => chainId === network.caipNetworkId && from.endsWith(`:${address}`))
}
