import { Problem } from '../../kit/http/problem.ts'

/** Formats the position at which a page ended. */
export function formatHistoryCursor(numbers: readonly number[]): string {
  return Buffer.from(numbers.join('.')).toString('base64url')
}

/**
 * Parses a cursor.
 *
 * @param count how many numbers it contains
 * @throws Problem 400 `cursor` if it was not created here
 */
export function parseHistoryCursor(cursor: string, count: number): readonly number[] {
  const fields = Buffer.from(cursor, 'base64url').toString('latin1').split('.')
  const numbers = fields.map((field) => (/^\d{1,15}$/.test(field) ? Number(field) : Number.NaN))
  if (numbers.length !== count || numbers.some(Number.isNaN)) {
    throw new Problem(400, 'cursor', 'This cursor is not valid for this list.')
  }
  return numbers
}
