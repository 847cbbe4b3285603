import { brokenRule } from './brokenRule.ts'

/**
 * Parses a number of a script: little-endian, with the sign in the highest bit.
 *
 * @throws if it is too long or not encoded minimally
 */
export function parseScriptNumber(bytes: Uint8Array, maxLength = 4): number {
  if (bytes.length > maxLength) return brokenRule('a number is too long')
  const last = bytes.at(-1)
  if (last === undefined) return 0
  // The highest byte is only needed if it has more than the sign, or if the byte below uses the highest bit.
  if ((last & 0x7f) === 0 && ((bytes.at(-2) ?? 0) & 0x80) === 0) return brokenRule('a number is not minimal')
  // Not bit operations: they are limited to 32 bits, and numbers have up to 40.
  const size = bytes.reduceRight((sum, byte, at) => sum * 256 + (at === bytes.length - 1 ? byte & 0x7f : byte), 0)
  return (last & 0x80) === 0 ? size : -size
}

/** Formats a number for the stack. Zero has no bytes. */
export function formatScriptNumber(value: number): Uint8Array {
  const bytes: number[] = []
  for (let rest = Math.abs(value); rest > 0; rest = Math.floor(rest / 256)) bytes.push(rest % 256)
  const sign = value < 0 ? 0x80 : 0
  const last = bytes.length - 1
  if (((bytes[last] ?? 0) & 0x80) !== 0) bytes.push(sign)
  else if (last >= 0) bytes[last] = (bytes[last] ?? 0) | sign
  return Uint8Array.from(bytes)
}

/** True unless all bytes are zero. A negative zero is false. */
export function isTruthy(bytes: Uint8Array): boolean {
  return bytes.some((byte, at) => byte !== 0 && !(at === bytes.length - 1 && byte === 0x80))
}
