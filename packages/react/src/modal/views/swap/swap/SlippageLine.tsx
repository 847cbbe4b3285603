import { slippageBounds } from '@latchkey/core/internal'
import { setAutomaticSlippage, setSlippage, swapState } from '@latchkey/core/money'
import { swapMessages } from '@latchkey/modal/messages'
import { useId, useState, type ReactElement } from 'react'
import { useLatchkey, useLatchkeyContext } from '../../../../context.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useStore } from '../../../../useStore.ts'
import { changedAmount, fieldText } from '../../../money/typedAmount.ts'
import { percentText } from './amountText.ts'

/** The slippages in percent that have a button. */
const presets = [0.5, 1, 3] as const

/** The slippage: automatic, one of the presets, or a typed one. Values outside of the bounds are rejected with a notice. */
export function SlippageLine(): ReactElement {
  const latchkey = useLatchkey()
  const { locale } = useLatchkeyContext()
  const t = useFlowMessages(swapMessages)
  const id = useId()
  const { slippage, isSlippageAutomatic } = useStore(swapState(latchkey))
  // The text while the user types, which may not be a slippage yet.
  const [typed, setTyped] = useState<string>()
  const isGood = typed === undefined || parseSlippage(typed) !== undefined
  const { least, most } = slippageBounds
  const change = (text: string): void => {
    setTyped(text)
    const read = parseSlippage(text)
    if (read !== undefined) setSlippage(latchkey, read)
  }
  return (
    <div className="swap-slippage-line">
      <dt>{t.slippage}</dt>
      <dd>
        <div className="swap-slippage" role="group" aria-label={t.slippage}>
          <PresetButton isPressed={isSlippageAutomatic} onPress={() => setAutomaticSlippage(latchkey)}>
            {t.automatic}
          </PresetButton>
          {presets.map((preset) => (
            <PresetButton
              key={preset}
              isPressed={!isSlippageAutomatic && slippage === preset}
              onPress={() => setSlippage(latchkey, preset)}
            >
              {percentText(locale, preset)}
            </PresetButton>
          ))}
          <span className="swap-slippage-field">
            <input
              type="text"
              inputMode="decimal"
              dir="ltr"
              autoComplete="off"
              aria-label={t.slippageField}
              aria-invalid={!isGood}
              aria-describedby={isGood ? undefined : id}
              value={fieldText(locale, typed ?? String(slippage))}
              onChange={({ target, nativeEvent }) => change(changedAmount(locale, target.value, nativeEvent))}
              onBlur={() => setTyped(undefined)}
            />
            <span aria-hidden="true">{'%'}</span>
          </span>
        </div>
        {!isGood && (
          <small id={id} role="alert">
            {t.slippageBounds({ least: numberText(locale, least), most: numberText(locale, most) })}
          </small>
        )}
      </dd>
    </div>
  )
}

type PresetButtonProps = { isPressed: boolean; onPress(): void; children: string }

function PresetButton({ isPressed, onPress, children }: PresetButtonProps): ReactElement {
  return (
    <button type="button" className="small-button figures" aria-pressed={isPressed} onClick={onPress}>
      {children}
    </button>
  )
}

function parseSlippage(text: string): number | undefined {
  const { least, most } = slippageBounds
  const percent = /^\d{1,2}(\.\d{1,2})?$/.test(text) ? Number(text) : Number.NaN
  return percent >= least && percent <= most ? percent : undefined
}

function numberText(locale: string | undefined, value: number): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }).format(value)
}
