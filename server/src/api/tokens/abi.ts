const textLength = 64
const wordDigits = 64

/** Parses an ABI `uint256`. */
export function parseAbiWord(returned: unknown): bigint | undefined {
  return typeof returned === 'string' && /^0x[0-9a-f]{64}$/i.test(returned) ? BigInt(returned) : undefined
}

/**
 * Parses an ABI `string`, or the `bytes32` of older contracts. The text is shortened and cleaned, because contracts can
 * return anything.
 */
export function parseAbiText(returned: unknown): string | undefined {
  if (typeof returned !== 'string' || !/^0x(?:[0-9a-f]{64})+$/i.test(returned)) return undefined
  const digits = returned.slice(2)
  const bytes = digits.length === wordDigits ? Buffer.from(digits, 'hex') : parseDynamicBytes(digits)
  if (bytes === undefined) return undefined
  const text = cleanText(bytes.toString('utf8'))
  return text === '' ? undefined : text
}

function parseDynamicBytes(digits: string): Buffer | undefined {
  const offset = Number(BigInt(`0x${digits.slice(0, wordDigits)}`)) * 2
  if (!Number.isSafeInteger(offset) || offset + wordDigits > digits.length) return undefined
  const length = Number(BigInt(`0x${digits.slice(offset, offset + wordDigits)}`))
  const start = offset + wordDigits
  if (!Number.isSafeInteger(length) || start + length * 2 > digits.length) return undefined
  return Buffer.from(digits.slice(start, start + Math.min(length, 4 * textLength) * 2), 'hex')
}

/** Removes control characters, text directions, invisible and invalid characters, and line breaks. */
export function cleanText(text: string): string {
  const visible = text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029\ufffd]/gu, '').replace(/\s+/gu, ' ')
  return [...visible.trim()].slice(0, textLength).join('')
}
