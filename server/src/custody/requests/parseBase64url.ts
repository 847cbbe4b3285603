import { Type } from '@sinclair/typebox'
import { Problem } from '../../kit/http/problem.ts'

/** The schema of bytes in JSON: base64url without padding (RFC 4648 §5). */
export const base64urlSchema = (maxBytes: number) =>
  Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength: Math.ceil((maxBytes * 4) / 3) })

/** Formats bytes as base64url without padding. */
export const formatBase64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

/**
 * Parses base64url. Each byte sequence has exactly one accepted spelling.
 *
 * @param length the required number of bytes, if it is fixed
 * @throws Problem 400 with the field
 */
export function parseBase64url(text: string, field: string, length?: number): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  const isExact = bytes.toString('base64url') === text && (length === undefined || bytes.length === length)
  if (isExact) return bytes
  throw new Problem(400, field, 'This value has the wrong encoding or length.')
}
