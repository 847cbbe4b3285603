/** The zeros of other scripts: Arabic, Persian, Devanagari, Bengali, full-width. */
const zeros = [0x0660, 0x06f0, 0x0966, 0x09e6, 0xff10]

/** A point that may separate thousands: `0.125` has a decimal one. */
const thousands = /^[1-9]\d{0,2}\.\d{3}$/
/** An invisible character. Text that contains it is shown as it is, and is no amount. */
const joiner = '\u2060'

/** The notation of an entered amount. */
export type AmountEntry = {
  /** The added text, if known. */
  typed?: string | null | undefined
  /** The decimal separator that the field shows. */
  separator?: '.' | ','
  isPasted?: boolean
}

/**
 * Normalises a typed amount to ASCII digits with a point. A comma or an Arabic decimal separator that was just typed
 * becomes a point, because phone keyboards have no other key for it, and so does the separator that the field shows. In
 * pasted text its meaning is ambiguous: `1,000` stays as it is, and is reported as invalid. So is a pasted `1.000` in a field
 * with a decimal comma, because it is a thousand in such languages.
 */
export function typedAmount(text: string, { typed, separator = '.', isPasted = false }: AmountEntry = {}): string {
  // Pages in right-to-left languages put invisible marks around numbers, which would make a copied amount invalid.
  const digits = [...text.replace(/\p{Cf}/gu, '')].map(plainDigit).join('').trim()
  if (isPasted && separator === ',' && thousands.test(digits)) return digits.replace('.', `.${joiner}`)
  const isPoint = typed === ',' || typed === '٫' || typed === '，'
  const isShown = separator === ',' && !isPasted && digits.includes(',')
  const isOnly = digits.split(/[.,٫，]/).length === 2
  const pointed = (isPoint || isShown) && isOnly ? digits.replace(/[,٫，]/, '.') : digits
  return pointed.startsWith('.') ? `0${pointed}` : pointed
}

/** Normalises the amount of a field that changed in a language. */
export function changedAmount(locale: string | undefined, text: string, event: Event): string {
  const { data, inputType } = event instanceof InputEvent ? event : { data: undefined, inputType: '' }
  const isPasted = inputType === 'insertFromPaste' || inputType === 'insertFromDrop'
  return typedAmount(text, { typed: data, separator: fieldSeparator(locale), isPasted })
}

/**
 * Formats an amount with a point for a field in a language. Fields have ASCII digits without groups, as users type them.
 * Other text stays as it is, so that the user can correct it.
 *
 * @example fieldText('de', '1.5') // '1,5'
 */
export function fieldText(locale: string | undefined, amount: string): string {
  return /^\d*\.\d*$/.test(amount) ? amount.replace('.', fieldSeparator(locale)) : amount
}

/** The point or the comma. An Arabic separator would stand between ASCII digits. */
function fieldSeparator(locale: string | undefined): '.' | ',' {
  const parts = new Intl.NumberFormat(locale).formatToParts(0.5)
  return parts.find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.'
}

function plainDigit(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const zero = zeros.find((each) => code >= each && code < each + 10)
  return zero === undefined ? character : String(code - zero)
}
