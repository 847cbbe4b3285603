import { chosenSwapToken, getSwapUnits } from '@latchkey/core/internal'
import { setSwapAmount, setSwapReceivedAmount, swapState, type SwapSide } from '@latchkey/core/money'
import { swapMessages } from '@latchkey/modal/messages'
import { useState, type ReactElement, type ReactNode, type Ref } from 'react'
import { useLatchkey, useLatchkeyContext } from '../../../../context.ts'
import { decimalText } from '../../../../messages/quantityText.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useStore } from '../../../../useStore.ts'
import { AmountField } from '../../../money/AmountField.tsx'
import { fieldText } from '../../../money/typedAmount.ts'
import { shortAmount } from './amountText.ts'

export type SwapAmountFieldProps = {
  side: SwapSide
  hint: ReactNode
  invalid: boolean
  elementRef?: Ref<HTMLInputElement>
}

/**
 * The amount of one side in its token: the entered one, or the expected one. The expected amount has the format of the
 * language until the user edits it.
 */
export function SwapAmountField({ side, hint, invalid, elementRef }: SwapAmountFieldProps): ReactElement {
  const latchkey = useLatchkey()
  const { locale } = useLatchkeyContext()
  const t = useFlowMessages(swapMessages)
  const state = useStore(swapState(latchkey))
  const [isFocused, setFocused] = useState(false)
  const token = chosenSwapToken(state, side)
  const symbol = token?.symbol ?? ''
  const isExact = state.exact === side
  const units = getSwapUnits(state, side)
  const isWaiting = state.quote.status === 'waiting' && units === undefined
  if (isWaiting && !isExact && !isFocused) return <span className="skeleton swap-skeleton" />
  const expected = units === undefined || token === undefined ? '' : shortAmount(units, token.decimals)
  const isFormatted = !isExact && !isFocused && expected !== ''
  const edit = (field: HTMLInputElement): void => {
    setFocused(true)
    if (isExact) return
    // Written at once, because a later rendering would undo the selection. A typed amount replaces the expected one.
    field.value = fieldText(locale, expected)
    field.select()
  }
  return (
    <AmountField
      elementRef={elementRef}
      isFirst={side === 'from'}
      label={(isExact ? t.amount : t.estimate)({ symbol })}
      hint={hint}
      value={isExact ? state.amount : expected}
      formatted={isFormatted ? decimalText(locale, expected) : undefined}
      invalid={invalid}
      readOnly={side === 'to' && !state.quotesOutput}
      onFocus={edit}
      onBlur={() => setFocused(false)}
      onChange={(value) => (side === 'from' ? setSwapAmount : setSwapReceivedAmount)(latchkey, value)}
    />
  )
}
