/** The zeros of the digits that keyboards write elsewhere: Arabic, Persian, Devanagari, Bengali, full-width. */
const zeros = [0x0660, 0x06f0, 0x0966, 0x09e6, 0xff10]

/**
 * What somebody typed as an amount, in the digits that amounts are read in. A comma or an Arabic point that was just
 * typed is a point: a telephone has no other key for it. In a text that was pasted nobody can tell, and nothing is
 * guessed: `1,000` stays what it is, and is told as wrong.
 *
 * @param typed what was added, where that is known
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
