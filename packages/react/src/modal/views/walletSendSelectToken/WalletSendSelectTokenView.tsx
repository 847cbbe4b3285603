import { getAccount, goBack } from '@latchkey/core'
import { chooseToken, dollarsOf, findToken, loadTokens, sendState, type SendToken } from '@latchkey/core/money'
import { useEffect, useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { Spoken, usePart } from '../../../strings/part.tsx'
import { sendPart } from '../../../strings/send/texts.ts'
import { useStrings } from '../../../strings/useStrings.ts'
import { useStore } from '../../../useStore.ts'
import { moneyCss } from '../../money/money.css.ts'
import { TokenRow } from '../../money/TokenRow.tsx'
import { SearchField } from '../../parts/SearchField.tsx'
import { SkeletonRows } from '../../parts.tsx'
import { useViewStyles } from '../../shadowRoot.ts'
import { useSecondsUntil } from '../../useSecondsUntil.ts'

/** Choosing what is sent, among what there is on the active network. */
export default function WalletSendSelectTokenView(): ReactElement {
  useViewStyles(moneyCss)
  return (
    <Spoken part={sendPart}>
      <Choice />
    </Spoken>
  )
}

function Choice(): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(sendPart)
  const { allWallets } = useStrings()
  const { tokens, token: chosen, tokensStatus } = useStore(sendState(latchkey))
  const [search, setSearch] = useState('')
  const found = useFound(search)
  useEffect(() => {
    // What cannot be read is in the state.
    if (tokensStatus === 'idle') loadTokens(latchkey).catch(() => {})
  }, [latchkey, tokensStatus])
  const shown = listed(tokens ?? [], search)
  const all = found === undefined || found === 'none' || found === 'asking' ? shown : [found]
  const choose = (token: SendToken): void => {
    chooseToken(latchkey, token)
    goBack(latchkey)
  }
  return (
    <>
      <SearchField label={t.search} clearLabel={allWallets.clear} value={search} onChange={setSearch} />
      {tokensStatus === 'failed' && <Failed />}
      <ul className="rows" aria-label={t.yours}>
        {all.map((token) => (
          <TokenRow
            key={token.asset.address ?? ''}
            token={asListed(token)}
            current={token.asset.address === chosen?.asset.address}
            onChoose={() => choose(token)}
          />
        ))}
        {(tokens === undefined || found === 'asking') && <SkeletonRows count={all.length === 0 ? 3 : 1} />}
      </ul>
      <p className="hint center" role="status">
        {tokens !== undefined &&
          all.length === 0 &&
          found !== 'asking' &&
          (found === 'none' ? t.unknownToken : t.noTokens)}
      </p>
    </>
  )
}

/** The token at an address that was entered and that is not in the list, as the chain tells it. */
function useFound(search: string): SendToken | 'asking' | 'none' | undefined {
  const latchkey = useLatchkey()
  const { tokens } = useStore(sendState(latchkey))
  const [answer, setAnswer] = useState<{ address: string; token: SendToken | 'none' }>()
  const entry = search.trim()
  const { network } = getAccount(latchkey)
  const adapter = latchkey.adapters.find(({ namespace }) => namespace === network?.chainNamespace)
  const isListed = listed(tokens ?? [], entry).length > 0
  const address = !isListed && adapter?.isAddress(entry) === true ? entry : undefined
  useEffect(() => {
    if (address === undefined) return
    let isOver = false
    findToken(latchkey, address).then(
      (token) => isOver || setAnswer({ address, token }),
      () => isOver || setAnswer({ address, token: 'none' }),
    )
    return () => void (isOver = true)
  }, [latchkey, address])
  if (address === undefined) return undefined
  return answer?.address === address ? answer.token : 'asking'
}

/** The server did not tell: said, and asked again when that is allowed. */
function Failed(): ReactElement {
  const latchkey = useLatchkey()
  const { account: t } = useStrings()
  const { lastRetry } = useStore(sendState(latchkey))
  const seconds = useSecondsUntil(lastRetry === undefined ? undefined : lastRetry + retryMilliseconds)
  return (
    <div className="notice">
      <p role="alert">
        <strong>{t.tokensFailed}</strong>
      </p>
      <p className="hint">{t.tokensFailedHint}</p>
      <button
        type="button"
        className="button"
        aria-disabled={seconds > 0}
        onClick={() => {
          if (seconds === 0) loadTokens(latchkey).catch(() => {})
        }}
      >
        {seconds > 0 ? t.retryIn(seconds) : t.retry}
      </button>
    </div>
  )
}

/** Between two tries after balances failed [R9.1.3]. */
const retryMilliseconds = 30_000

/** The tokens that a search finds, by name, symbol or address. */
function listed(tokens: readonly SendToken[], search: string): readonly SendToken[] {
  const wanted = search.trim().toLowerCase()
  return tokens.filter(({ name, asset }) =>
    `${name}\n${asset.symbol}\n${asset.address ?? ''}`.toLowerCase().includes(wanted),
  )
}

function asListed({ asset, name, iconUrl, balance, price }: SendToken): Parameters<typeof TokenRow>[0]['token'] {
  const { symbol, decimals } = asset
  const dollars = balance === undefined ? undefined : dollarsOf(balance, decimals, price)
  return { name, symbol, decimals, iconUrl, balance, dollars }
}
