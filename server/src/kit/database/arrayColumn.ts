/**
 * A column of values for `unnest($1::type[])`, in PostgreSQL's binary format of arrays. Neither side has to parse text,
 * which otherwise takes most of the time of a large insert.
 */
export type ArrayColumn<Value> = {
  add(value: Value): void
  /** The parameter of the statement. The driver sends buffers in binary format. */
  encode(): Buffer
}

/** The object ids of PostgreSQL's types. */
const oids = { boolean: 16, bytea: 17, bigint: 20, smallint: 21, integer: 23, text: 25, numeric: 1_700 } as const

/** Bytes of the header of an array with one dimension, and of the length of each value. */
const [headerBytes, lengthBytes] = [20, 4]
const countOffset = 12
const initialBytes = 1_024
/** Digits of a `numeric` are groups of four decimal digits. */
const numericBase = 10_000

/** Returns the number of values of an encoded column that is not empty. */
export function countColumnValues(column: Buffer): number {
  return column.readInt32BE(countOffset)
}

type Writer = {
  /** Reserves bytes for a value, after its length. Returns the buffer and the offset of the value. */
  reserve(bytes: number): { buffer: Buffer; at: number }
  addNull(): void
  encode(): Buffer
}

function createWriter(oid: number): Writer {
  let buffer = Buffer.allocUnsafe(initialBytes)
  let size = headerBytes
  let count = 0
  let hasNulls = false

  function grow(bytes: number): void {
    if (size + bytes <= buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(size + bytes, 2 * buffer.length))
    buffer.copy(larger, 0, 0, size)
    buffer = larger
  }

  return {
    reserve(bytes) {
      grow(lengthBytes + bytes)
      buffer.writeInt32BE(bytes, size)
      const at = size + lengthBytes
      size = at + bytes
      count += 1
      return { buffer, at }
    },
    addNull() {
      grow(lengthBytes)
      buffer.writeInt32BE(-1, size)
      size += lengthBytes
      count += 1
      hasNulls = true
    },
    encode() {
      const dimensions = count === 0 ? 0 : 1
      buffer.writeInt32BE(dimensions, 0)
      buffer.writeInt32BE(Number(hasNulls), 4)
      buffer.writeInt32BE(oid, 8)
      buffer.writeInt32BE(count, countOffset)
      // Arrays begin at index 1.
      buffer.writeInt32BE(1, 16)
      return buffer.subarray(0, dimensions === 0 ? headerBytes - 8 : size)
    },
  }
}

/**
 * Creates a column of `bytea`.
 *
 * @example
 * const hashes = createByteaColumn()
 * hashes.add('0x12ab')
 * await database.run('add', 'insert into block (hash) select unnest($1::bytea[])', [hashes.encode()])
 */
export function createByteaColumn(): ArrayColumn<`0x${string}` | undefined> {
  const writer = createWriter(oids.bytea)
  return {
    add(hex) {
      if (hex === undefined) return writer.addNull()
      const bytes = (hex.length - 2) >> 1
      const { buffer, at } = writer.reserve(bytes)
      buffer.write(hex.slice(2), at, bytes, 'hex')
    },
    encode: writer.encode,
  }
}

/**
 * Creates a column of `bytea` from strings in another form than `createByteaColumn` takes.
 *
 * @param encoding `hex` digits, or `latin1` with a character per byte
 */
export function createEncodedByteaColumn(encoding: 'hex' | 'latin1'): ArrayColumn<string> {
  const writer = createWriter(oids.bytea)
  const charactersPerByte = encoding === 'hex' ? 2 : 1
  return {
    add(value) {
      const bytes = value.length / charactersPerByte
      const { buffer, at } = writer.reserve(bytes)
      buffer.write(value, at, bytes, encoding)
    },
    encode: writer.encode,
  }
}

/** Creates a column of `text`. */
export function createTextColumn(): ArrayColumn<string> {
  const writer = createWriter(oids.text)
  return {
    add(value) {
      const bytes = Buffer.byteLength(value)
      const { buffer, at } = writer.reserve(bytes)
      // A text of as many bytes as characters is ASCII, which is copied faster.
      buffer.write(value, at, bytes, bytes === value.length ? 'latin1' : 'utf8')
    },
    encode: writer.encode,
  }
}

/** Creates a column of safe integers as `bigint`. */
export function createBigintColumn(): ArrayColumn<number> {
  const writer = createWriter(oids.bigint)
  return {
    add(value) {
      const { buffer, at } = writer.reserve(8)
      buffer.writeInt32BE(Math.floor(value / 2 ** 32), at)
      buffer.writeUInt32BE(value >>> 0, at + 4)
    },
    encode: writer.encode,
  }
}

/** Creates a column of `integer`. */
export function createIntegerColumn(): ArrayColumn<number> {
  const writer = createWriter(oids.integer)
  return {
    add(value) {
      const { buffer, at } = writer.reserve(4)
      buffer.writeInt32BE(value, at)
    },
    encode: writer.encode,
  }
}

/** Creates a column of `smallint`. */
export function createSmallintColumn(): ArrayColumn<number> {
  const writer = createWriter(oids.smallint)
  return {
    add(value) {
      const { buffer, at } = writer.reserve(2)
      buffer.writeInt16BE(value, at)
    },
    encode: writer.encode,
  }
}

/** Creates a column of `boolean`. */
export function createBooleanColumn(): ArrayColumn<boolean> {
  const writer = createWriter(oids.boolean)
  return {
    add(value) {
      const { buffer, at } = writer.reserve(1)
      buffer.writeUInt8(Number(value), at)
    },
    encode: writer.encode,
  }
}

/** Creates a column of whole numbers from zero on as `numeric`. */
export function createNumericColumn(): ArrayColumn<bigint | undefined> {
  const writer = createWriter(oids.numeric)
  return {
    add(value) {
      if (value === undefined) return writer.addNull()
      const digits = toNumericDigits(value)
      const { buffer, at } = writer.reserve(8 + 2 * digits.length)
      buffer.writeInt16BE(digits.length, at)
      // The weight of the first group; then the sign and the number of fractional digits.
      buffer.writeInt16BE(digits.length - 1, at + 2)
      buffer.writeInt32BE(0, at + 4)
      for (let index = 0; index < digits.length; index += 1) {
        buffer.writeInt16BE(digits[digits.length - 1 - index] ?? 0, at + 8 + 2 * index)
      }
    },
    encode: writer.encode,
  }
}

/** The base of a chunk that is safe as a number. */
const chunkBase = 10n ** 12n
const groupsPerChunk = 3

/** Splits a number into groups of four decimal digits, the last group first. */
function toNumericDigits(value: bigint): readonly number[] {
  const digits: number[] = []
  let rest = value
  while (rest >= chunkBase) {
    let chunk = Number(rest % chunkBase)
    rest /= chunkBase
    for (let group = 0; group < groupsPerChunk; group += 1) {
      digits.push(chunk % numericBase)
      chunk = Math.floor(chunk / numericBase)
    }
  }
  for (let chunk = Number(rest); chunk > 0; chunk = Math.floor(chunk / numericBase)) digits.push(chunk % numericBase)
  return digits
}
