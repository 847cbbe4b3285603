import { useId, type ReactElement, type ReactNode, type Ref } from 'react'
import { useLatchkeyContext } from '../../context.ts'
import { changedAmount, fieldText } from './typedAmount.ts'

export type AmountFieldProps = {
  /** The name of the field with its unit: `Amount in ETH`. */
  label: string
  /** The amount with a point. The field shows the separator of the language. */
  value: string
  /** Shown in place of the value, for example with groups of digits. */
  formatted?: string | undefined
  /** Receives the amount with a point. */
  onChange(value: string): void
  /** Read by screen readers after the label: the balance or the value. */
  hint?: ReactNode
  /** True if the field receives the initial focus. */
  isFirst?: boolean
  readOnly?: boolean
  invalid?: boolean
  onFocus?(field: HTMLInputElement): void
  onBlur?(): void
  elementRef?: Ref<HTMLInputElement>
}

/** Longer amounts have a smaller font, and still longer ones the smallest that phones don't zoom into. */
const longFrom = { smaller: 10, smallest: 13 } as const

/** A field for an amount. Amounts are written from left to right in every language. */
export function AmountField(props: AmountFieldProps): ReactElement {
  const { label, value, onChange, hint, isFirst, readOnly, invalid, onFocus, onBlur, elementRef } = props
  const { locale } = useLatchkeyContext()
  const id = useId()
  return (
    <>
      <input
        ref={elementRef}
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
        data-long={value.length > longFrom.smallest ? 'most' : value.length > longFrom.smaller ? '' : undefined}
        value={props.formatted ?? fieldText(locale, value)}
        onFocus={({ target }) => onFocus?.(target)}
        onBlur={onBlur}
        onChange={({ target, nativeEvent }) => onChange(changedAmount(locale, target.value, nativeEvent))}
      />
      {hint !== undefined && (
        <span id={id} className="hidden">
          {hint}
        </span>
      )}
    </>
  )
}
