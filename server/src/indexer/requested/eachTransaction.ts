import type { Hex } from '../block.ts'

/** Called for each transaction with its place in the text, and whether one of the addresses sends or receives it. */
export type VisitTransaction = (start: number, end: number, isNamed: boolean) => void

const listName = '"transactions"'
/** Fields in two parts: hexadecimal numbers don't have the first letter of the second part, so that it is found fast. */
const fields = [
  ['"f', 'rom"'],
  ['"', 'to"'],
] as const
/** A character up to this one is white space between the values of JSON. */
const space = 0x20

/**
 * Finds the transactions in the blocks of a JSON text, without parsing it. Leaves out those that contain objects. A text with
 * braces in strings gets wrong places, which leave an odd number of quotes outside of them.
 *
 * @param text without backslashes
 */
export function eachTransaction(text: string, addresses: ReadonlySet<Hex>, visit: VisitTransaction): void {
  for (let name = text.indexOf(listName); name !== -1; name = text.indexOf(listName, name + 1)) {
    const list = skip(text, name + listName.length, ':')
    let next = list === -1 ? -1 : skip(text, list, '[')
    while (next !== -1) {
      const start = skip(text, next, '{') - 1
      const end = start < 0 ? 0 : text.indexOf('}', start) + 1
      if (end === 0) break
      const inner = text.indexOf('{', start + 1)
      // The list continues behind the inner objects, but few transactions have any.
      if (inner !== -1 && inner < end) break
      visit(start, end, isNamed(text, start, end, addresses))
      next = skip(text, end, ',')
    }
  }
}

/** Returns the place behind white space and a character, or -1 if another one follows. */
function skip(text: string, from: number, character: string): number {
  let at = from
  while (text.charCodeAt(at) <= space) at += 1
  return text[at] === character ? at + 1 : -1
}

/** A transaction without these fields may concern any address. */
function isNamed(text: string, start: number, end: number, addresses: ReadonlySet<Hex>): boolean {
  return fields.some((field) => {
    const name = findField(text, field, start)
    if (name === -1 || name > end) return true
    const value = skip(text, skip(text, name, ':'), '"')
    // A new contract has no receiver.
    if (value <= 0) return false
    return addresses.has(text.slice(value, text.indexOf('"', value)).toLowerCase() as Hex)
  })
}

/** Returns the place behind the name of a field, or -1. */
function findField(text: string, [head, tail]: (typeof fields)[number], start: number): number {
  let at = text.indexOf(tail, start)
  while (at !== -1 && !text.startsWith(head, at - head.length)) at = text.indexOf(tail, at + 1)
  return at === -1 ? -1 : at + tail.length
}
