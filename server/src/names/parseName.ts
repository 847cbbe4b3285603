import { normalize } from 'viem/ens'
import { Problem } from '../kit/http/problem.ts'

/** Shortest and longest first label [R5.6.1]. */
const labelLength = { least: 4, most: 64 } as const
const label = /^[a-z0-9-]+$/

/**
 * Parses a name to register: one label under a zone, in lower case. Names that ENSIP-15 would normalise differently are
 * rejected, so that no two names look the same.
 *
 * @throws Problem 400 `name`
 */
export function parseName(text: string, zones: readonly string[]): string {
  // Some non-ASCII characters have an ASCII lower case.
  if (!/^[a-zA-Z0-9.-]+$/.test(text)) {
    throw new Problem(400, 'name', 'A name contains only the letters a to z, digits and hyphens.')
  }
  const name = text.toLowerCase()
  const [first = '', ...rest] = name.split('.')
  if (rest.length === 0) throw new Problem(400, 'name', 'The name has no suffix.')
  if (first.length < labelLength.least || first.length > labelLength.most) {
    throw new Problem(
      400,
      'name',
      `A name has ${labelLength.least} to ${labelLength.most} characters before its suffix.`,
    )
  }
  if (!zones.includes(rest.join('.'))) throw new Problem(400, 'name', 'Names with this suffix cannot be registered.')
  if (!isNameLabel(first)) throw new Problem(400, 'name', 'This name could be confused with another one.')
  return name
}

/** True if a label can be registered. */
export function isNameLabel(text: string): boolean {
  return label.test(text) && text.length >= labelLength.least && text.length <= labelLength.most && isNormalized(text)
}

/** Checks ENSIP-15 normalisation, which reserves hyphens at the third and fourth position. */
function isNormalized(text: string): boolean {
  try {
    return normalize(text) === text
  } catch {
    return false
  }
}
