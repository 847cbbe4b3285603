import { normalize } from 'viem/ens'
import { Problem } from '../kit/problem.ts'

/** Shortest and longest first label [R5.6.1]. */
const labelLength = { least: 4, most: 64 } as const
const label = /^[a-z0-9-]+$/

/**
 * Reads a name to register: one label under a zone, in lower case. Letters that only look like ASCII are none, and what
 * ENSIP-15 would write differently is no name, so no two names look the same.
 *
 * @throws Problem 400 `name`
 */
export function readName(text: string, zones: readonly string[]): string {
  // Some signs outside of ASCII have their lower case inside of it.
  if (!/^[a-zA-Z0-9.-]+$/.test(text)) {
    throw new Problem(400, 'name', 'A name is made of the letters a to z, digits and hyphens.')
  }
  const name = text.toLowerCase()
  const [first = '', ...rest] = name.split('.')
  if (rest.length === 0) throw new Problem(400, 'name', 'The name lacks its zone.')
  if (first.length < labelLength.least || first.length > labelLength.most) {
    throw new Problem(400, 'name', `A name has ${labelLength.least} to ${labelLength.most} characters before its zone.`)
  }
  if (!zones.includes(rest.join('.'))) throw new Problem(400, 'name', 'No names are given in this zone.')
  if (!isLabel(first)) throw new Problem(400, 'name', 'This is not a name that everybody would read in the same way.')
  return name
}

/** Whether a label can be registered. */
export function isLabel(text: string): boolean {
  return label.test(text) && text.length >= labelLength.least && text.length <= labelLength.most && isNormal(text)
}

/** Hyphens at the third and fourth place announce another alphabet (ENSIP-15). */
function isNormal(text: string): boolean {
  try {
    return normalize(text) === text
  } catch {
    return false
  }
}
