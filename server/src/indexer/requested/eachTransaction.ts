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
      if (start < 0) break
      // Every search ends at the next object: a hostile text would make longer ones take minutes.
      const following = text.indexOf('{', start + 1)
      const object = text.slice(start, following === -1 ? undefined : following)
      const length = object.indexOf('}') + 1
      // The list continues behind the objects in a transaction, but few have any.
      if (length === 0) break
      visit(start, start + length, isNamed(object.slice(0, length), addresses))
      next = skip(text, start + length, ',')
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
function isNamed(transaction: string, addresses: ReadonlySet<Hex>): boolean {
  return fields.some((field) => {
    const name = findField(transaction, field)
    if (name === -1) return true
    const value = skip(transaction, skip(transaction, name, ':'), '"')
    // A new contract has no receiver.
    if (value <= 0) return false
    return addresses.has(transaction.slice(value, transaction.indexOf('"', value)).toLowerCase() as Hex)
  })
}

/** Returns the place behind the name of a field, or -1. */
function findField(transaction: string, [head, tail]: (typeof fields)[number]): number {
  let at = transaction.indexOf(tail)
  while (at !== -1 && !transaction.startsWith(head, at - head.length)) at = transaction.indexOf(tail, at + 1)
  return at === -1 ? -1 : at + tail.length
}
