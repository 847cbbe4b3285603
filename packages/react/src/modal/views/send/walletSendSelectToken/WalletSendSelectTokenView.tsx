import { getAccount } from '@latchkey/core'
import { loadTokens, toDollars } from '@latchkey/core/internal'
import { chooseToken, findToken, sendState, type SendToken } from '@latchkey/core/money'
import { goBack } from '@latchkey/modal'
import { sendMessages } from '@latchkey/modal/messages'
import { useEffect, useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { FlowMessages } from '../../../../messages/FlowMessages.tsx'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { useStore } from '../../../../useStore.ts'
import { moneyCss } from '../../../money/money.css.ts'
import { TokenRow } from '../../../money/TokenRow.tsx'
import { SearchField } from '../../../parts/SearchField.tsx'
import { SkeletonRows } from '../../../parts/index.tsx'
import { useViewStyles } from '../../../shell/shadowRoot.ts'
import { useSecondsUntil } from '../../../timing/useSecondsUntil.ts'

/** Selects the token to send, on the active network. */
export default function WalletSendSelectTokenView(): ReactElement {
  useViewStyles(moneyCss)
  return (
    <FlowMessages chunk={sendMessages}>
      <TokenChoice />
    </FlowMessages>
  )
}

function TokenChoice(): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(sendMessages)
  const { allWallets } = useModalMessages()
  const { tokens, token: chosen, tokensStatus } = useStore(sendState(latchkey))
  const [search, setSearch] = useState('')
  const found = useFound(search)
  useEffect(() => {
    // The state contains the failure.
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
      <ul className="rows" aria-label={t.yourTokens}>
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

/** Returns the token at a searched address that is not in the list, as read from the chain. */
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

/** Shown if the tokens could not be loaded, with a retry after the cooldown. */
function Failed(): ReactElement {
  const latchkey = useLatchkey()
  const { account: t } = useModalMessages()
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
        {seconds > 0 ? t.retryIn({ seconds }) : t.retry}
      </button>
    </div>
  )
}

/** Delay between two attempts after a failure [R9.1.3]. */
const retryMilliseconds = 30_000

/** Filters the tokens by name, symbol or address. */
function listed(tokens: readonly SendToken[], search: string): readonly SendToken[] {
  const wanted = search.trim().toLowerCase()
  return tokens.filter(({ name, asset }) =>
    `${name}\n${asset.symbol}\n${asset.address ?? ''}`.toLowerCase().includes(wanted),
  )
}

function asListed({ asset, name, iconUrl, balance, price }: SendToken): Parameters<typeof TokenRow>[0]['token'] {
  const { symbol, decimals } = asset
  const dollars = balance === undefined ? undefined : toDollars(balance, decimals, price)
  return { name, symbol, decimals, iconUrl, balance, dollars }
}
