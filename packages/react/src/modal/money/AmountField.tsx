import { useId, type ReactElement, type ReactNode, type Ref } from 'react'
import { typedAmount } from './typedAmount.ts'

export type AmountFieldProps = {
  /** What is asked for, the unit with it: `Amount in ETH`. */
  label: string
  value: string
  onChange(value: string): void
  /** Spoken after the label: the balance, what it is worth. */
  hint?: ReactNode
  /** Whether focus begins here. */
  isFirst?: boolean
  readOnly?: boolean
  invalid?: boolean
  ref?: Ref<HTMLInputElement>
}

/** From how many digits on they are written smaller. */
const longFrom = 10

/** An amount as it is typed, beside what stands in the same line. Amounts are written from left to right everywhere. */
export function AmountField(props: AmountFieldProps): ReactElement {
  const { label, value, onChange, hint, isFirst, readOnly, invalid, ref } = props
  const id = useId()
  return (
    <>
      <input
        ref={ref}
        className="amount-input"
        part="amount"
        type="text"
        inputMode="decimal"
        dir="ltr"
        aria-label={label}
        aria-describedby={hint === undefined ? undefined : id}
        aria-invalid={invalid}
        readOnly={readOnly}
        placeholder="0"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="next"
        data-first={isFirst === true ? '' : undefined}
        data-long={value.length > longFrom ? '' : undefined}
        value={value}
        onChange={({ target, nativeEvent }) =>
          onChange(typedAmount(target.value, 'data' in nativeEvent ? String(nativeEvent.data) : undefined))
        }
      />
      {hint !== undefined && (
        <span id={id} className="hidden">
          {hint}
        </span>
      )}
    </>
  )
}
