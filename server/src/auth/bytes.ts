import { Type } from '@sinclair/typebox'
import { Problem } from '../kit/problem.ts'

/** Bytes as JSON carries them: base64url without padding (RFC 4648). */
export const bytesSchema = (most: number) =>
  Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength: Math.ceil((most * 4) / 3) })

/** Writes bytes for JSON. */
export const writeBytes = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

/**
 * Reads bytes of JSON; each array of bytes has one spelling.
 *
 * @throws Problem 400 with the field
 */
export function readBytes(text: string, field: string, length?: number): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  const isExact = bytes.toString('base64url') === text && (length === undefined || bytes.length === length)
  if (isExact) return bytes
  throw new Problem(400, field, 'These are not the bytes that belong here.')
}
