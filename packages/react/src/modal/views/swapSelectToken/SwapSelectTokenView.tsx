import { goBack } from '@latchkey/core'
import {
  chooseSwapToken,
  listSwapTokens,
  swapDollarsOf,
  swapState,
  type SwapSide,
  type SwapToken,
} from '@latchkey/core/money'
import { useId, useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { Spoken, usePart } from '../../../strings/part.tsx'
import { swapPart } from '../../../strings/swap/texts.ts'
import { useStrings } from '../../../strings/useStrings.ts'
import { useStore } from '../../../useStore.ts'
import { moneyCss } from '../../money/money.css.ts'
import { TokenRow } from '../../money/TokenRow.tsx'
import { SearchField } from '../../parts/SearchField.tsx'
import { Mark, SkeletonRows } from '../../parts.tsx'
import { useViewStyles } from '../../shadowRoot.ts'
import { swapCss } from '../swap/swap.css.ts'

/** Choosing what is given, or what is wanted, among all that can be swapped on this network. */
export default function SwapSelectTokenView({ side }: { side: SwapSide }): ReactElement {
  useViewStyles(moneyCss + swapCss)
  return (
    <Spoken part={swapPart}>
      <Choice side={side} />
    </Spoken>
  )
}

function Choice({ side }: { side: SwapSide }): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(swapPart)
  const { allWallets } = useStrings()
  const state = useStore(swapState(latchkey))
  const [search, setSearch] = useState('')
  const { yours, suggested, all } = listSwapTokens(state, side, search)
  const choose = (id: string): void => {
    chooseSwapToken(latchkey, side, id)
    goBack(latchkey)
  }
  const lists = { current: state[side], choose }
  return (
    <>
      <SearchField label={t.search} clearLabel={allWallets.clear} value={search} onChange={setSearch} />
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
      {yours.length > 0 && <TokenList title={t.yours} tokens={yours} {...lists} />}
      {all.length > 0 && <TokenList title={t.all} tokens={all} {...lists} />}
      {state.status === 'loading' && (
        <ul className="rows">
          <SkeletonRows count={3} />
        </ul>
      )}
      <p className="hint center" role="status">
        {state.status === 'open' && all.length === 0 && t.noTokens}
      </p>
    </>
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
            token={{ ...token, dollars: swapDollarsOf(token, token.balance) }}
            current={token.id === current}
            onChoose={() => choose(token.id)}
          />
        ))}
      </ul>
    </section>
  )
}
