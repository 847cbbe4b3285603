const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Whether a text is an address: 32 to 44 digits of base58 that make 32 bytes. */
export function isAddress(value: string): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(value) && sizeOf(value) === 32
}

/** How many bytes base58 digits make: one for each leading `1`, and those of the number that the others write. */
function sizeOf(digits: string): number {
  let number = 0n
  for (const digit of digits) number = number * 58n + BigInt(alphabet.indexOf(digit))
  const zeros = /^1*/.exec(digits)?.[0].length ?? 0
  return zeros + (number === 0n ? 0 : Math.ceil(number.toString(16).length / 2))
}
