import { randomInt } from 'node:crypto'

const [first, end] = [10, 100]

/** There are ninety confirmation digits. Half of them stay free, so that an attacker can't narrow them down by opening requests. */
export const maxOpenDigits = 45

/**
 * Draws two confirmation digits that no other open request has. Equal digits would let a user confirm the request of an
 * attacker with the digits of their own. Call it in a transaction that has locked all requests that the user could confuse.
 *
 * @param taken the digits of the other open requests
 * @returns two digits, or `undefined` if `maxOpenDigits` are taken
 * @example drawDigits(['42']) // '57'
 */
export function drawDigits(taken: readonly string[]): string | undefined {
  const excluded = new Set(taken)
  if (excluded.size >= maxOpenDigits) return undefined
  const free = Array.from({ length: end - first }, (_, index) => String(first + index)).filter(
    (digits) => !excluded.has(digits),
  )
  return free[randomInt(free.length)]
}
