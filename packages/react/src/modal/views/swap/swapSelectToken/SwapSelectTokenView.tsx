import { listSwapTokens, swapAmountInDollars } from '@latchkey/core/internal'
import { chooseSwapToken, swapState, type SwapSide, type SwapToken } from '@latchkey/core/money'
import { goBack } from '@latchkey/modal'
import { swapMessages } from '@latchkey/modal/messages'
import { useEffect, useId, type ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { FlowMessages } from '../../../../messages/FlowMessages.tsx'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useStore } from '../../../../useStore.ts'
import { moneyCss } from '../../../money/money.css.ts'
import { TokenChoice, type TokenChoiceProps } from '../../../money/TokenChoice.tsx'
import { TokenRow } from '../../../money/TokenRow.tsx'
import { Mark, SkeletonRows } from '../../../parts/index.tsx'
import { useViewStyles } from '../../../shell/shadowRoot.ts'
import { beginSwap } from '../swap/beginSwap.ts'
import { swapCss } from '../swap/swap.css.ts'
import SwapView from '../swap/SwapView.tsx'

/** Lets the user select the token to pay or to receive, among all tokens that can be swapped on this network. */
export default function SwapSelectTokenView({ side }: { side: SwapSide }): ReactElement {
  const latchkey = useLatchkey()
  const { status } = useStore(swapState(latchkey))
  const isConnected = useAccount().status === 'connected'
  useViewStyles(moneyCss + swapCss)
  useEffect(() => beginSwap(latchkey), [latchkey])
  if (status === 'failed' || !isConnected) return <SwapView />
  return (
    <FlowMessages chunk={swapMessages}>
      <SwapTokenChoice side={side} />
    </FlowMessages>
  )
}

function SwapTokenChoice({ side }: { side: SwapSide }): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(swapMessages)
  const state = useStore(swapState(latchkey))
  const choose = (id: string): void => {
    chooseSwapToken(latchkey, side, id)
    goBack(latchkey)
  }
  const list: TokenChoiceProps['list'] = (search, isVisible) => {
    const { held, suggested, all } = listSwapTokens(state, side, search)
    const own = held.filter(({ id, address }) => address === undefined || isVisible(id))
    const lists = { current: state[side], choose }
    const rows = (
      <>
        {suggested.length > 0 && (
          <ul className="swap-chips" aria-label={t.suggested}>
            {suggested.map(({ id, symbol, iconUrl }) => (
              <li key={id}>
                <button type="button" onClick={() => choose(id)}>
                  <Mark name={symbol} icon={iconUrl} />
                  {symbol}
                </button>
              </li>
            ))}
          </ul>
        )}
        {own.length > 0 && <TokenList title={t.yourTokens} tokens={own} {...lists} />}
        {all.length > 0 && <TokenList title={t.all} tokens={all} {...lists} />}
        {state.status === 'loading' && (
          <ul className="rows">
            <SkeletonRows count={3} />
          </ul>
        )}
      </>
    )
    return { count: all.length, rows }
  }
  return (
    <TokenChoice
      labels={t}
      symbols={state.tokens.map(({ symbol }) => symbol)}
      isLoaded={state.status === 'open'}
      list={list}
      onImport={({ asset: { address }, chainId }) => choose(`${chainId}:${address}`)}
    />
  )
}

type TokenListProps = {
  title: string
  tokens: readonly SwapToken[]
  current: string | undefined
  choose(id: string): void
}

function TokenList({ title, tokens, current, choose }: TokenListProps): ReactElement {
  const id = useId()
  return (
    <section className="group" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul className="rows">
        {tokens.map((token) => (
          <TokenRow
            key={token.id}
            token={{ ...token, dollars: swapAmountInDollars(token, token.balance) }}
            current={token.id === current}
            onChoose={() => choose(token.id)}
          />
        ))}
      </ul>
    </section>
  )
}
