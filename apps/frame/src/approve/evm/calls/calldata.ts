const wordSize = 32
const addressMask = 2n ** 160n - 1n
const pointerMask = 2n ** 256n - 1n

/** ABI-encoded arguments. Index 0 is the first word of the arguments, or of a struct within them. */
export type Calldata = {
  /** Reads a word as a number. */
  number(index: number): bigint
  /** Reads an address. Bits above the 160th are ignored, as contracts that don't validate them do. */
  address(index: number): `0x${string}`
  /** Follows the offset in a word to `bytes`. */
  bytes(index: number): Uint8Array
  /** Follows the offset in a word to a struct. */
  struct(index: number): Calldata
  /** Follows the offset in a word to an array of structs with a fixed number of words. */
  list(index: number, words: number, most: number): CalldataList<Calldata>
  /** Follows the offset in a word to an array whose items have offsets of their own. */
  structs(index: number, most: number): CalldataList<Calldata>
  /** Follows the offset in a word to `bytes[]`. */
  bytesList(index: number, most: number): CalldataList<Uint8Array>
  /** The same, each item with all bytes behind it: some contracts read words beyond the end of an item. */
  bytesTails(index: number, most: number): CalldataList<Uint8Array>
}

/** The items of an array, and true if it has more of them than were read. */
export type CalldataList<item> = { readonly items: readonly item[]; readonly isTruncated: boolean }

/**
 * Reads ABI-encoded arguments as the most lenient contract would. It never throws: missing bytes are zeros (EVM
 * `CALLDATALOAD`), offsets wrap at 256 bits (Solidity adds them unchecked), padding and trailing bytes are ignored.
 * Strict contracts accept less, and what they accept means the same.
 */
export function createCalldata(data: Uint8Array, base = 0): Calldata {
  const wordAt = (position: number): bigint => {
    let word = 0n
    for (let at = position; at < position + wordSize; at += 1) word = (word << 8n) | BigInt(data[at] ?? 0)
    return word
  }
  const wrap = (from: number, offset: bigint): number => {
    const target = (BigInt(from) + offset) & pointerMask
    return target < BigInt(data.length) ? Number(target) : data.length
  }
  const follow = (from: number, index: number): number => wrap(from, wordAt(from + index * wordSize))
  const bytesAt = (start: number): Uint8Array => data.subarray(start + wordSize, wrap(start + wordSize, wordAt(start)))
  /** An item starts within the data: a contract would run out of gas long before it read all missing ones as zeros. */
  const listAt = <item>(index: number, words: number, most: number, read: (from: number, at: number) => item) => {
    const start = follow(base, index)
    const first = start + wordSize
    const possible = Math.ceil(Math.max(0, data.length - first) / (words * wordSize))
    const length = wordAt(start)
    const count = length < BigInt(possible) ? Number(length) : possible
    const items = Array.from({ length: Math.min(count, most) }, (_, at) => read(first, at))
    return { items, isTruncated: count > most }
  }
  return {
    number: (index) => wordAt(base + index * wordSize),
    address: (index) => toAddress(wordAt(base + index * wordSize)),
    bytes: (index) => bytesAt(follow(base, index)),
    struct: (index) => createCalldata(data, follow(base, index)),
    list: (index, words, most) =>
      listAt(index, words, most, (first, at) => createCalldata(data, first + at * words * wordSize)),
    structs: (index, most) => listAt(index, 1, most, (first, at) => createCalldata(data, follow(first, at))),
    bytesList: (index, most) => listAt(index, 1, most, (first, at) => bytesAt(follow(first, at))),
    bytesTails: (index, most) => listAt(index, 1, most, (first, at) => data.subarray(follow(first, at) + wordSize)),
  }
}

/** Returns the lower 160 bits of a word as an address. */
export function toAddress(word: bigint): `0x${string}` {
  return `0x${(word & addressMask).toString(16).padStart(40, '0')}`
}
