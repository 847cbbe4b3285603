/** Reads bytes one part after the other; nothing may be read beyond their end, and nothing may be left. */
export type Bytes = {
  byte(): number
  take(length: number): Uint8Array
  /** A length of Solana: seven bits a byte, at most three bytes, and no longer than it must be. */
  length(): number
  rest(): Uint8Array
  readonly isAtEnd: boolean
}

/** @throws (later) RangeError where the bytes are no such thing */
export function readBytes(bytes: Uint8Array): Bytes {
  let at = 0

  function take(length: number): Uint8Array {
    if (at + length > bytes.length) throw new RangeError('the bytes end too early')
    at += length
    return bytes.subarray(at - length, at)
  }
  const byte = (): number => take(1)[0] ?? 0

  return {
    byte,
    take,
    length() {
      let value = 0
      for (let place = 0; place < 3; place += 1) {
        const next = byte()
        value |= (next & 0x7f) << (7 * place)
        if (next < 0x80) {
          if (next === 0 && place > 0) throw new RangeError('a length is longer than it must be')
          if (value > 0xffff) throw new RangeError('a length is too long')
          return value
        }
      }
      throw new RangeError('a length does not end')
    },
    rest: () => take(bytes.length - at),
    get isAtEnd() {
      return at === bytes.length
    },
  }
}

/** A number of up to eight bytes, the lowest first. */
export function numberIn(bytes: Uint8Array, at: number, length: number): bigint {
  if (at + length > bytes.length) throw new RangeError('the bytes end too early')
  return bytes.subarray(at, at + length).reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n)
}
