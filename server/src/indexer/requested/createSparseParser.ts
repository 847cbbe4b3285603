import type { Hex } from '../block.ts'
import { eachTransaction } from './eachTransaction.ts'

/** Parses responses with blocks, without the transactions that no followed address sends or receives. */
export type SparseParser = {
  /**
   * Parses the JSON text of a response. Numbers stand in for the transactions that are left out.
   *
   * @throws SyntaxError if it is not JSON
   */
  parse(text: Buffer): unknown
  /** Parses the transaction that a number stands in for. Returns other values as they are. */
  restore(transaction: unknown): unknown
}

/**
 * Creates the parser of one request. Most transactions of a block concern no followed address, and parsing them takes most of
 * the time that the server needs for a block.
 */
export function createSparseParser(addresses: ReadonlySet<Hex>): SparseParser {
  const leftOut: { text: Buffer; start: number; end: number }[] = []

  /** Returns undefined if the text is not as nodes write it. */
  function tryParse(text: Buffer): unknown {
    if (text.includes('\\')) return undefined
    // One character per byte, so that places in both are the same.
    const characters = text.toString('latin1')
    let [kept, keptTo] = ['', 0]
    eachTransaction(characters, addresses, (start, end, isNamed) => {
      if (isNamed) return
      kept += characters.slice(keptTo, start) + String(leftOut.length)
      keptTo = end
      leftOut.push({ text, start, end })
    })
    try {
      return parseText(Buffer.from(kept + characters.slice(keptTo), 'latin1'))
    } catch {
      return undefined
    }
  }

  return {
    parse: (text) => tryParse(text) ?? parseText(text),
    restore(transaction) {
      const place = typeof transaction === 'number' ? leftOut[transaction] : undefined
      return place === undefined ? transaction : parseText(place.text.subarray(place.start, place.end))
    },
  }
}

function parseText(text: Buffer): unknown {
  return JSON.parse(text.toString('utf8'))
}
