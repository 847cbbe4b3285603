const textLength = 64
const wordDigits = 64

/** Reads a number as a contract returns it; undefined when it is none. */
export function readWord(returned: unknown): bigint | undefined {
  return typeof returned === 'string' && /^0x[0-9a-f]{64}$/i.test(returned) ? BigInt(returned) : undefined
}

/**
 * Reads a text as a contract returns it: an ABI `string`, or the `bytes32` of older contracts. Contracts write what
 * they like, so it is shortened and cleaned of what is not to be seen.
 */
export function readText(returned: unknown): string | undefined {
  if (typeof returned !== 'string' || !/^0x(?:[0-9a-f]{64})+$/i.test(returned)) return undefined
  const digits = returned.slice(2)
  const bytes = digits.length === wordDigits ? Buffer.from(digits, 'hex') : readDynamic(digits)
  if (bytes === undefined) return undefined
  const text = cleaned(bytes.toString('utf8'))
  return text === '' ? undefined : text
}

function readDynamic(digits: string): Buffer | undefined {
  const offset = Number(BigInt(`0x${digits.slice(0, wordDigits)}`)) * 2
  if (!Number.isSafeInteger(offset) || offset + wordDigits > digits.length) return undefined
  const length = Number(BigInt(`0x${digits.slice(offset, offset + wordDigits)}`))
  const start = offset + wordDigits
  if (!Number.isSafeInteger(length) || start + length * 2 > digits.length) return undefined
  return Buffer.from(digits.slice(start, start + Math.min(length, 4 * textLength) * 2), 'hex')
}

/** Without control characters, directions of writing, invisible characters and broken ones; of one line. */
export function cleaned(text: string): string {
  const visible = text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029\ufffd]/gu, '').replace(/\s+/gu, ' ')
  return [...visible.trim()].slice(0, textLength).join('')
}
