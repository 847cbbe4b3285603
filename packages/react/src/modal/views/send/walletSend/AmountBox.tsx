import { formatAmount } from '@latchkey/core'
import { parseUnits, toDollars } from '@latchkey/core/internal'
import {
  sendState,
  setAmount,
  setAmountInDollars,
  setMax,
  setShare,
  type SendState,
  type SendToken,
} from '@latchkey/core/money'
import { pushView } from '@latchkey/modal'
import { sendMessages } from '@latchkey/modal/messages'
import { useState, type ReactElement, type Ref } from 'react'
import { useLatchkey, useLatchkeyContext } from '../../../../context.ts'
import { decimalText, quantityText } from '../../../../messages/quantityText.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useStore } from '../../../../useStore.ts'
import { AmountField } from '../../../money/AmountField.tsx'
import { ConvertedAmount } from '../../../money/ConvertedAmount.tsx'
import { dollarEntry } from '../../../money/dollarText.ts'
import { ShareButtons } from '../../../money/ShareButtons.tsx'
import { TokenButton } from '../../../money/TokenButton.tsx'

/** The amount and the token, in tokens or, if the price is known, in dollars. */
export function AmountBox({ elementRef }: { elementRef: Ref<HTMLInputElement> }): ReactElement {
  const latchkey = useLatchkey()
  const { locale } = useLatchkeyContext()
  const t = useFlowMessages(sendMessages)
  const state = useStore(sendState(latchkey))
  const { token, status } = state
  const [wantsDollars, setWantsDollars] = useState(state.dollars !== undefined)
  const inDollars = wantsDollars && token?.price !== undefined
  const symbol = token?.asset.symbol ?? ''
  return (
    <div className="money-box">
      <div className="money-line">
        {inDollars && <span aria-hidden="true">{'$'}</span>}
        <AmountField
          elementRef={elementRef}
          isFirst
          label={inDollars ? t.amountInDollars : t.amount({ symbol })}
          hint={<AmountDescription token={token} />}
          value={inDollars ? (state.dollars ?? dollarEntry(worthOf(state))) : state.amount}
          invalid={status === 'incorrect-value' || status === 'insufficient-funds'}
          onChange={(value) => (inDollars ? setAmountInDollars : setAmount)(latchkey, value)}
        />
        <TokenButton
          token={token && { symbol, iconUrl: token.iconUrl }}
          label={token === undefined ? t.selectToken : t.otherToken({ symbol })}
          onPress={() => pushView(latchkey, { view: 'WalletSendSelectToken', params: {} })}
        />
      </div>
      <div className="money-line" data-wraps="">
        {token?.price === undefined ? (
          <span className="money-label">{token !== undefined && t.noPrice}</span>
        ) : (
          <ConvertedAmount
            tokens={formatTokens(locale, state)}
            dollars={worthOf(state)}
            inDollars={inDollars}
            label={inDollars ? t.countInTokens({ symbol }) : t.countInDollars}
            turn={() => setWantsDollars(!inDollars)}
          />
        )}
        {token?.balance !== undefined && <Balance token={token} />}
      </div>
      {token?.balance !== undefined && (
        <ShareButtons
          labelOf={(percent) => t.share({ percent })}
          max={t.max}
          maxLabel={t.maxOf({ symbol })}
          onShare={(percent) => setShare(latchkey, percent)}
          onMax={() => void setMax(latchkey)}
        />
      )}
    </div>
  )
}

function Balance({ token }: { token: SendToken }): ReactElement {
  const { locale } = useLatchkeyContext()
  const t = useFlowMessages(sendMessages)
  const { symbol, decimals } = token.asset
  return (
    <span className="money-line">
      <span className="money-label figures">
        <span className="hidden">{t.balance} </span>
        <bdi dir="ltr">{`${quantityText(locale, token.balance, decimals)} ${symbol}`}</bdi>
      </span>
    </span>
  )
}

/** The description of the field for screen readers: the token and its balance. */
function AmountDescription({ token }: { token: SendToken | undefined }): ReactElement | null {
  const { locale } = useLatchkeyContext()
  const t = useFlowMessages(sendMessages)
  if (token?.balance === undefined) return null
  const { symbol, decimals } = token.asset
  return <>{`${t.balance} ${quantityText(locale, token.balance, decimals)} ${symbol}`}</>
}

function worthOf({ amount, token }: SendState): number | undefined {
  if (token === undefined) return undefined
  const { decimals } = token.asset
  const units = parseUnits(amount, decimals)
  return units === undefined ? undefined : toDollars(units, decimals, token.price)
}

/** Formats the amount in tokens with its symbol. */
function formatTokens(locale: string | undefined, { amount, token }: SendState): string {
  if (token === undefined) return ''
  const { symbol, decimals } = token.asset
  return `${decimalText(locale, formatAmount(parseUnits(amount, decimals) ?? 0n, decimals))} ${symbol}`
}
