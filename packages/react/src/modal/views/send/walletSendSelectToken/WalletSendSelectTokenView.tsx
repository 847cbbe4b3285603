import { loadTokens, toDollars } from '@latchkey/core/internal'
import { chooseToken, sendState, type SendToken } from '@latchkey/core/money'
import { goBack } from '@latchkey/modal'
import { sendMessages } from '@latchkey/modal/messages'
import { useEffect, type ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { FlowMessages } from '../../../../messages/FlowMessages.tsx'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { useStore } from '../../../../useStore.ts'
import { moneyCss } from '../../../money/money.css.ts'
import { TokenChoice, type TokenChoiceProps } from '../../../money/TokenChoice.tsx'
import { TokenRow } from '../../../money/TokenRow.tsx'
import { SkeletonRows } from '../../../parts/index.tsx'
import { useViewStyles } from '../../../shell/shadowRoot.ts'
import { useSecondsUntil } from '../../../timing/useSecondsUntil.ts'
import WalletSendView from '../walletSend/WalletSendView.tsx'

/** Selects the token to send, on the active network. */
export default function WalletSendSelectTokenView(): ReactElement {
  useViewStyles(moneyCss)
  if (useAccount().status !== 'connected') return <WalletSendView />
  return (
    <FlowMessages chunk={sendMessages}>
      <SendTokenChoice />
    </FlowMessages>
  )
}

function SendTokenChoice(): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(sendMessages)
  const { tokens, token: chosen, tokensStatus } = useStore(sendState(latchkey))
  useEffect(() => {
    // The state contains the failure.
    if (tokensStatus === 'idle') loadTokens(latchkey).catch(() => {})
  }, [latchkey, tokensStatus])
  const known = tokens ?? []
  const choose = (token: SendToken): void => {
    chooseToken(latchkey, token)
    goBack(latchkey)
  }
  const list: TokenChoiceProps['list'] = (search, isVisible) => {
    const shown = filterTokens(
      known.filter((token) => isVisible(idOf(token))),
      search,
    )
    const rows = (
      <>
        {tokensStatus === 'failed' && <Failed />}
        <ul className="rows" aria-label={t.yourTokens}>
          {shown.map((token) => (
            <TokenRow
              key={token.asset.address ?? ''}
              token={toTokenRow(token)}
              current={token.asset.address === chosen?.asset.address}
              onChoose={() => choose(token)}
            />
          ))}
          {tokens === undefined && <SkeletonRows count={3} />}
        </ul>
      </>
    )
    return { count: shown.length, rows }
  }
  const symbols = known.map(({ asset }) => asset.symbol)
  return <TokenChoice labels={t} symbols={symbols} isLoaded={tokens !== undefined} list={list} onImport={choose} />
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

function idOf({ asset: { address }, chainId }: SendToken): string | undefined {
  return address === undefined ? undefined : `${chainId}:${address}`
}

/** Filters the tokens by name, symbol or address. */
function filterTokens(tokens: readonly SendToken[], search: string): readonly SendToken[] {
  const wanted = search.trim().toLowerCase()
  return tokens.filter(({ name, asset }) =>
    `${name}\n${asset.symbol}\n${asset.address ?? ''}`.toLowerCase().includes(wanted),
  )
}

function toTokenRow({ asset, name, iconUrl, balance, price }: SendToken): Parameters<typeof TokenRow>[0]['token'] {
  const { symbol, decimals } = asset
  const dollars = balance === undefined ? undefined : toDollars(balance, decimals, price)
  return { name, symbol, decimals, iconUrl, balance, dollars }
}
