const accents = new Map(
  Object.entries({
    a: 'á',
    e: 'é',
    i: 'î',
    o: 'ö',
    u: 'ü',
    c: 'ç',
    n: 'ñ',
    A: 'Á',
    E: 'É',
    O: 'Ö',
    U: 'Ü',
    C: 'Ç',
    N: 'Ñ',
    S: 'Š',
  }),
)
const padding = 0.4

/**
 * A language that nobody speaks (`en-XA`): accented, 40 % longer, in brackets. What shows without brackets was never
 * translated or is cut off.
 */
export function pseudoStrings<strings>(strings: strings): strings {
  // The same shape as before: texts become texts, and functions functions of the same arguments.
  return transform(strings) as strings
}

function transform(part: unknown): unknown {
  if (typeof part === 'string') return pseudo(part)
  if (typeof part === 'function') return (...told: unknown[]) => pseudo(String(part(...told)))
  if (Array.isArray(part)) return part.map(transform)
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, transform(value)]))
}

function pseudo(text: string): string {
  const accented = [...text].map((letter) => accents.get(letter) ?? letter).join('')
  return `[${accented}${' ~'.repeat(Math.ceil((text.length * padding) / 2))}]`
}
