import { parseAmount } from '@latchkey/core'
import { pushView, showToast } from '@latchkey/modal'
import { holdingsMessages } from '@latchkey/modal/messages'
import type { TokenBalance } from '@latchkey/protocol'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type ReactElement } from 'react'
import { useLatchkey, useLatchkeyContext } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { queryClientOf } from '../../../../queries/queryClient.ts'
import { tokensQuery, tokensRetryAt } from '../../../../queries/tokensQuery.ts'
import { quantityText } from '../../../../messages/quantityText.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { useSecondsUntil } from '../../../timing/useSecondsUntil.ts'
import { Mark, SkeletonRows } from '../../../parts/index.tsx'
import { EmptyList } from './EmptyList.tsx'
import { useDollars } from './useDollars.ts'
import { useTokenList, type TokenList } from './useTokenList.ts'

/** The native currency and the tokens of the account, most valuable first. */
export function Tokens(): ReactElement {
  const latchkey = useLatchkey()
  const { account: t } = useModalMessages()
  const account = useAccount()
  const { isError, isFetching, refetch } = useQuery(tokensQuery(latchkey, account), queryClientOf(latchkey))
  const list = useTokenList()
  useEffect(() => {
    if (isError && !isFetching) showToast(latchkey, t.tokensFailed, { variant: 'error' })
  }, [latchkey, isError, isFetching, t])
  if (list !== undefined) return <TokenRows list={list} />
  if (isError) return <TokensFailed retryAt={tokensRetryAt(latchkey, account)} retry={() => void refetch()} />
  return (
    <>
      <p role="status" className="hidden">
        {t.tokensLoading}
      </p>
      <ul className="rows">
        <SkeletonRows count={2} />
      </ul>
    </>
  )
}

function TokenRows({ list: { shown, hidden } }: { list: TokenList }): ReactElement {
  const latchkey = useLatchkey()
  const { account: t } = useModalMessages()
  const { manageTokens } = useFlowMessages(holdingsMessages)
  const isEmpty = shown.every(({ quantity }) => /^[0.]*$/.test(quantity.numeric))
  return (
    <>
      <ul className="rows">
        {shown.map((token) => (
          <TokenRow key={`${token.chainId} ${token.address}`} token={token} />
        ))}
      </ul>
      {isEmpty && <EmptyList text={t.noTokens} />}
      {hidden.length > 0 && <HiddenTokens tokens={hidden} />}
      <button
        type="button"
        className="button"
        data-quiet=""
        onClick={() => pushView(latchkey, { view: 'ManageTokens', params: {} })}
      >
        {manageTokens}
      </button>
    </>
  )
}

function HiddenTokens({ tokens }: { tokens: readonly TokenBalance[] }): ReactElement {
  const t = useFlowMessages(holdingsMessages)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      {isOpen && (
        <>
          <p className="hint">{t.hiddenHint}</p>
          <ul className="rows">
            {tokens.map((token) => (
              <TokenRow key={`${token.chainId} ${token.address}`} token={token} />
            ))}
          </ul>
        </>
      )}
      <button type="button" className="button" data-quiet="" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? t.hide : t.showHidden({ count: tokens.length })}
      </button>
    </>
  )
}

function TokenRow({ token }: { token: TokenBalance }): ReactElement {
  const t = useFlowMessages(holdingsMessages)
  const dollars = useDollars()
  const { locale } = useLatchkeyContext()
  const { name, symbol, value, iconUrl, quantity } = token
  const decimals = Number(quantity.decimals)
  return (
    <li className="row holding" part="row">
      <Mark name={symbol} icon={iconUrl === '' ? undefined : iconUrl} />
      <span className="text">
        <span className="name">{name}</span>
        <span className="sub">{symbol}</span>
      </span>
      <span className="amount figures">
        <span className="name">{quantityText(locale, parseAmount(quantity.numeric, decimals), decimals)}</span>
        <span className="sub">{value === undefined ? t.priceUnknown : dollars(value)}</span>
      </span>
    </li>
  )
}

function TokensFailed({ retryAt, retry }: { retryAt: number | undefined; retry(): void }): ReactElement {
  const { account: t } = useModalMessages()
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
        {seconds > 0 ? t.retryIn({ seconds }) : t.retry}
      </button>
    </div>
  )
}
