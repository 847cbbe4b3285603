/** The zeros of other scripts: Arabic, Persian, Devanagari, Bengali, full-width. */
const zeros = [0x0660, 0x06f0, 0x0966, 0x09e6, 0xff10]

/**
 * Normalises a typed amount to ASCII digits. A comma or an Arabic decimal separator that was just typed becomes a point,
 * because phone keyboards have no other key for it. In pasted text its meaning is ambiguous: `1,000` stays as it is, and
 * is reported as invalid.
 *
 * @param typed the added text, if known
 */
export function typedAmount(text: string, typed: string | null | undefined): string {
  const digits = [...text].map(plainDigit).join('').trim()
  const isPoint = typed === ',' || typed === '٫' || typed === '，'
  const isOnly = digits.split(/[.,٫，]/).length === 2
  const pointed = isPoint && isOnly ? digits.replace(/[,٫，]/, '.') : digits
  return pointed.startsWith('.') ? `0${pointed}` : pointed
}

function plainDigit(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const zero = zeros.find((each) => code >= each && code < each + 10)
  return zero === undefined ? character : String(code - zero)
}
