/** Reads bytes sequentially and never beyond the end. */
export type ByteReader = {
  byte(): number
  take(length: number): Uint8Array
  /** Reads a compact-u16: seven bits per byte, at most three bytes, shortest form. */
  length(): number
  rest(): Uint8Array
  readonly isAtEnd: boolean
}

/** The methods throw RangeError for malformed bytes. */
export function createByteReader(bytes: Uint8Array): ByteReader {
  let at = 0

  function take(length: number): Uint8Array {
    if (at + length > bytes.length) throw new RangeError('unexpected end of data')
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
          if (next === 0 && place > 0) throw new RangeError('a length is not in its shortest form')
          if (value > 0xffff) throw new RangeError('a length is too long')
          return value
        }
      }
      throw new RangeError('a length is not terminated')
    },
    rest: () => take(bytes.length - at),
    get isAtEnd() {
      return at === bytes.length
    },
  }
}

/** Reads a little-endian integer of up to eight bytes. */
export function readUint(bytes: Uint8Array, at: number, length: number): bigint {
  if (at + length > bytes.length) throw new RangeError('unexpected end of data')
  return bytes.subarray(at, at + length).reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n)
}
