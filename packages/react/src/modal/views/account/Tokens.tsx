import { displayAmount, parseAmount, showToast } from '@latchkey/core'
import type { TokenBalance } from '@latchkey/protocol'
import { useQuery } from '@tanstack/react-query'
import { useEffect, type ReactElement } from 'react'
import { useLatchkey, useSurroundings } from '../../../context.ts'
import { useAccount } from '../../../hooks/useAccount.ts'
import { queryClientOf } from '../../../queries/queryClient.ts'
import { tokensQuery, tokensRetryAt } from '../../../queries/tokensQuery.ts'
import { useStrings } from '../../../strings/useStrings.ts'
import { useSecondsUntil } from '../../useSecondsUntil.ts'
import { Mark, SkeletonRows } from '../../parts.tsx'

/** What the account holds beside the network's own currency. Without a server nobody could tell, so nothing is said. */
export function Tokens(): ReactElement | null {
  const latchkey = useLatchkey()
  const { account: t } = useStrings()
  const account = useAccount()
  const { data, isError, isFetching, refetch } = useQuery(tokensQuery(latchkey, account), queryClientOf(latchkey))
  useEffect(() => {
    if (isError && !isFetching) showToast(latchkey, t.tokensFailed, { variant: 'error' })
  }, [latchkey, isError, isFetching, t])
  if (latchkey.settings.server === undefined) return null
  return (
    <section className="holdings" aria-labelledby="tokens">
      <h2 id="tokens">{t.tokens}</h2>
      {data !== undefined ? (
        <TokenList tokens={data} />
      ) : isError ? (
        <TokensFailed retryAt={tokensRetryAt(latchkey, account)} retry={() => void refetch()} />
      ) : (
        <>
          <p role="status" className="hidden">
            {t.tokensWaiting}
          </p>
          <ul className="rows">
            <SkeletonRows count={2} />
          </ul>
        </>
      )}
    </section>
  )
}

function TokenList({ tokens }: { tokens: readonly TokenBalance[] }): ReactElement {
  const { account: t } = useStrings()
  const others = tokens.filter(({ address }) => address !== undefined)
  if (others.length === 0) return <p className="empty hint">{t.noTokens}</p>
  return (
    <ul className="rows">
      {others.map((token) => (
        <TokenRow key={`${token.chainId} ${token.address}`} token={token} />
      ))}
    </ul>
  )
}

function TokenRow({ token }: { token: TokenBalance }): ReactElement {
  const { locale } = useSurroundings()
  const { name, symbol, value, iconUrl, quantity } = token
  const decimals = Number(quantity.decimals)
  const money = value === undefined ? undefined : new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' })
  return (
    <li className="row holding" part="row">
      <Mark name={symbol} icon={iconUrl === '' ? undefined : iconUrl} />
      <span className="text">
        <span className="name">{name}</span>
        <span className="sub">{symbol}</span>
      </span>
      <span className="amount figures">
        <span className="name">{displayAmount(parseAmount(quantity.numeric, decimals), decimals)}</span>
        {value !== undefined && <span className="sub">{money?.format(value)}</span>}
      </span>
    </li>
  )
}

function TokensFailed({ retryAt, retry }: { retryAt: number | undefined; retry(): void }): ReactElement {
  const { account: t } = useStrings()
  const seconds = useSecondsUntil(retryAt)
  return (
    <div className="empty">
      <p>{t.tokensFailed}</p>
      <p className="hint">{t.tokensFailedHint}</p>
      <button
        type="button"
        className="button figures"
        aria-disabled={seconds > 0}
        onClick={() => seconds === 0 && retry()}
      >
        {seconds > 0 ? t.retryIn(seconds) : t.retry}
      </button>
    </div>
  )
}
