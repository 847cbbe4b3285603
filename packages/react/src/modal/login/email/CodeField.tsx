import { useState, type ReactElement, type RefObject, type SyntheticEvent } from 'react'

/** The length of a code. */
export const codeLength = 6

type CodeFieldProps = {
  input: RefObject<HTMLInputElement | null>
  label: string
  /** Digits only. */
  value: string
  describedBy: string
  isBad: boolean
  isLocked: boolean
  onChange(digits: string): void
}

/**
 * A field for a one-time code, with a box for each digit. It is a single input, so that users can paste the code,
 * browsers can fill it in, and screen readers read it as a whole.
 */
export function CodeField(props: CodeFieldProps): ReactElement {
  const { input, label, value, describedBy, isBad, isLocked, onChange } = props
  const [caret, setCaret] = useState(0)
  const active = Math.min(caret, value.length, codeLength - 1)
  const follow = ({ currentTarget }: SyntheticEvent<HTMLInputElement>): void =>
    setCaret(currentTarget.selectionStart ?? value.length)
  return (
    <div className="code" data-bad={isBad ? '' : undefined}>
      {Array.from({ length: codeLength }, (_, index) => (
        <span
          // oxlint-disable-next-line react/no-array-index-key -- a box is nothing but its place
          key={`box ${index}`}
          className="code-box"
          data-active={index === active && !isLocked ? '' : undefined}
          aria-hidden="true"
        >
          {value[index]}
        </span>
      ))}
      <input
        ref={input}
        data-first=""
        aria-label={label}
        aria-describedby={describedBy}
        aria-invalid={isBad}
        value={value}
        readOnly={isLocked}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoCorrect="off"
        spellCheck={false}
        dir="ltr"
        onFocus={follow}
        onKeyUp={follow}
        // The place of a tap does not select a digit. Typing continues after the last one.
        onClick={({ currentTarget }) => {
          currentTarget.setSelectionRange(value.length, value.length)
          setCaret(value.length)
        }}
        onChange={({ target }) => {
          const digits = digitsOf(target.value).slice(0, codeLength)
          setCaret(target.value === digits ? (target.selectionStart ?? digits.length) : digits.length)
          onChange(digits)
        }}
      />
    </div>
  )
}

/** Returns the digits of a string as ASCII digits. */
function digitsOf(text: string): string {
  return [...text].flatMap((letter) => digitOf(letter) ?? []).join('')
}

/** Keyboards write the digits of their language. In Unicode, the ten digits of a script are consecutive. */
function digitOf(letter: string): string | undefined {
  if (!/^\p{Nd}$/u.test(letter)) return undefined
  let point = letter.codePointAt(0) ?? 0
  let digit = 0
  while (/^\p{Nd}$/u.test(String.fromCodePoint(point - 1)) && digit < 9) {
    point -= 1
    digit += 1
  }
  return String(digit)
}
