import { pushView, type AccountState } from '@latchkey/core'
import { listPurchases, type Purchase } from '@latchkey/core/money'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { useLatchkey, useSurroundings } from '../../../context.ts'
import { useAccount } from '../../../hooks/useAccount.ts'
import { queryClientOf } from '../../../queries/queryClient.ts'
import { buyPart } from '../../../strings/buy/texts.ts'
import { Spoken, usePart } from '../../../strings/part.tsx'
import { useStrings } from '../../../strings/useStrings.ts'
import { cutAmount, moneyText } from '../../money/amounts.ts'
import { Mark, SkeletonRows } from '../../parts.tsx'

/** While coins are on their way, it is looked again after so many milliseconds. */
const refreshMilliseconds = 4_000

/** What was bought in this browser for the account, newest first. */
export default function OnRampActivityView(): ReactElement {
  const account = useAccount()
  return <Spoken part={buyPart}>{account.status === 'connected' ? <Purchases account={account} /> : <Nobody />}</Spoken>
}

function Nobody(): ReactElement {
  return <p className="hint center">{usePart(buyPart).none}</p>
}

function Purchases({ account: { account } }: { account: AccountState & { status: 'connected' } }): ReactElement {
  const latchkey = useLatchkey()
  const { account: words } = useStrings()
  const t = usePart(buyPart)
  const { data, isError, refetch } = useQuery(
    {
      queryKey: ['purchases', account],
      queryFn: ({ signal }) => listPurchases(latchkey, account, signal),
      refetchInterval: ({ state }) => (state.data?.some(isUnderWay) === true ? refreshMilliseconds : false),
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

function isUnderWay({ standing }: Purchase): boolean {
  return standing === 'paid'
}

function Empty(): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(buyPart)
  const { money } = useStrings()
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
  const { locale } = useSurroundings()
  const t = usePart(buyPart)
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <ul className="rows">
      {purchases.map(({ id, standing, at, paid, bought }) => (
        <li key={id} className="row">
          <Mark name={bought?.currency ?? paid?.currency ?? '?'} />
          <span className="text">
            <span className="name figures">
              {bought === undefined
                ? paid !== undefined && moneyText(locale, paid)
                : `${cutAmount(bought.amount)} ${bought.currency}`}
            </span>
            <span className="sub">{at !== undefined && dates.format(at)}</span>
          </span>
          <span className="tag">{t.standing[standing]}</span>
        </li>
      ))}
    </ul>
  )
}
