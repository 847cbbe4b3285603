import type { AccountState } from '@latchkey/core'
import { listPurchases, tokenImageUrl } from '@latchkey/core/internal'
import type { Purchase } from '@latchkey/core/money'
import { pushView } from '@latchkey/modal'
import { buyMessages } from '@latchkey/modal/messages'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { useLatchkey, useLatchkeyContext } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { queryClientOf } from '../../../../queries/queryClient.ts'
import { FlowMessages } from '../../../../messages/FlowMessages.tsx'
import { FlowNotConnected } from '../../account/account/NotConnected.tsx'
import { decimalText } from '../../../../messages/quantityText.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { truncateAmount, moneyText } from '../../../money/amounts.ts'
import { Mark, SkeletonRows } from '../../../parts/index.tsx'

/** Interval between two refreshes while a purchase is pending. */
const refreshMilliseconds = 4_000

/** The purchases of the account in this browser, newest first. */
export default function OnRampActivityView(): ReactElement {
  const account = useAccount()
  return (
    <FlowMessages chunk={buyMessages}>
      {account.status === 'connected' ? (
        <Purchases account={account} />
      ) : (
        <FlowNotConnected chunk={buyMessages} account={account} />
      )}
    </FlowMessages>
  )
}

function Purchases({ account: { account } }: { account: AccountState & { status: 'connected' } }): ReactElement {
  const latchkey = useLatchkey()
  const { account: words } = useModalMessages()
  const t = useFlowMessages(buyMessages)
  const { data, isError, refetch } = useQuery(
    {
      queryKey: ['purchases', account],
      queryFn: ({ signal }) => listPurchases(latchkey, account, signal),
      refetchInterval: ({ state }) => (state.data?.some(isPending) === true ? refreshMilliseconds : false),
    },
    queryClientOf(latchkey),
  )
  if (data === undefined && !isError) {
    return (
      <ul className="rows">
        <SkeletonRows count={3} />
      </ul>
    )
  }
  if (data === undefined) {
    return (
      <>
        <p className="hint center" role="alert">
          {t.listFailed}
        </p>
        <button type="button" className="button" data-primary="" part="primary" onClick={() => void refetch()}>
          {words.retry}
        </button>
      </>
    )
  }
  return data.length === 0 ? <Empty /> : <List purchases={data} />
}

function isPending({ status }: Purchase): boolean {
  return status === 'paid'
}

function Empty(): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(buyMessages)
  const { money } = useModalMessages()
  return (
    <>
      <div className="notice">
        <p className="headline">{t.empty}</p>
        <p className="hint">{t.emptyHint}</p>
      </div>
      <button
        type="button"
        className="button"
        data-primary=""
        part="primary"
        onClick={() => pushView(latchkey, { view: 'OnRampProviders', params: {} })}
      >
        {money.buy}
      </button>
    </>
  )
}

function List({ purchases }: { purchases: readonly Purchase[] }): ReactElement {
  const latchkey = useLatchkey()
  const { locale } = useLatchkeyContext()
  const t = useFlowMessages(buyMessages)
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <ul className="rows">
      {purchases.map(({ id, status, at, paid, bought }) => (
        <li key={id} className="row">
          <Mark
            name={bought?.currency ?? paid?.currency ?? '?'}
            icon={bought && tokenImageUrl(latchkey, bought.currency)}
          />
          <span className="text">
            <span className="name figures">
              {bought === undefined
                ? paid !== undefined && moneyText(locale, paid)
                : `${decimalText(locale, truncateAmount(bought.amount))} ${bought.currency}`}
            </span>
            <span className="sub">{at !== undefined && dates.format(at)}</span>
          </span>
          <span className="tag">{t.status[status]}</span>
        </li>
      ))}
    </ul>
  )
}
