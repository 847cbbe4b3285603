import { Problem } from '../../kit/http/problem.ts'

/** Formats the position at which a page ended. */
export function formatHistoryCursor(parts: readonly number[]): string {
  return Buffer.from(parts.join('.')).toString('base64url')
}

/**
 * Parses a cursor.
 *
 * @param count how many numbers it contains
 * @throws Problem 400 `cursor` if it was not created here
 */
export function parseHistoryCursor(cursor: string, count: number): readonly number[] {
  const parts = Buffer.from(cursor, 'base64url').toString('latin1').split('.')
  const numbers = parts.map((part) => (/^\d{1,15}$/.test(part) ? Number(part) : Number.NaN))
  if (numbers.length !== count || numbers.some(Number.isNaN)) {
    throw new Problem(400, 'cursor', 'This cursor is not valid for this list.')
  }
  return numbers
}
