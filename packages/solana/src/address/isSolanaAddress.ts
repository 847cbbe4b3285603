const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** True if a string is an address: 32 to 44 base58 digits that encode 32 bytes. */
export function isSolanaAddress(value: string): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(value) && countBytes(value) === 32
}

/** Counts the bytes that base58 digits encode: one per leading `1`, plus those of the number in the other digits. */
function countBytes(digits: string): number {
  const number = parseBase58Number(digits)
  const zeros = /^1*/.exec(digits)?.[0].length ?? 0
  return zeros + (number === 0n ? 0 : Math.ceil(number.toString(16).length / 2))
}

/** Parses base58 digits as one number. */
export function parseBase58Number(digits: string): bigint {
  let number = 0n
  for (const digit of digits) number = number * 58n + BigInt(alphabet.indexOf(digit))
  return number
}
