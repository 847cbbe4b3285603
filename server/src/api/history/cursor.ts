import { Problem } from '../../kit/problem.ts'

/** Where a page ended: numbers that say after which transaction to go on. */
export function writeCursor(parts: readonly number[]): string {
  return Buffer.from(parts.join('.')).toString('base64url')
}

/**
 * Reads a cursor of so many numbers.
 *
 * @throws Problem 400 `cursor` when it is not one that was written here.
 */
export function readCursor(cursor: string, count: number): readonly number[] {
  const parts = Buffer.from(cursor, 'base64url').toString('latin1').split('.')
  const numbers = parts.map((part) => (/^\d{1,15}$/.test(part) ? Number(part) : Number.NaN))
  if (numbers.length !== count || numbers.some(Number.isNaN)) {
    throw new Problem(400, 'cursor', 'This cursor was not given out here.')
  }
  return numbers
}
