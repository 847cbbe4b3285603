import { sha256 } from '../secrets/sha256.ts'

/** A parsed transaction. */
export type BitcoinTransactionBytes = {
  txid: string
  /** The outputs that it spends. The input of a coinbase spends none. */
  spends: readonly ({ txid: string; index: number } | undefined)[]
  /** Amounts in satoshis. */
  outputs: readonly { amount: bigint; script: Buffer }[]
}

const txidBytes = 32
const lockTimeBytes = 4
const versionBytes = 4

/**
 * Parses a transaction in the format of the Bitcoin network (BIP-144), and calculates its id.
 *
 * @throws Error if the bytes are not one whole transaction
 * @example parseBitcoinTransaction(Buffer.from('0200000001…', 'hex')).txid
 */
export function parseBitcoinTransaction(bytes: Buffer): BitcoinTransactionBytes {
  const reader = createReader(bytes, versionBytes)
  // A transaction with witnesses has a zero and a flag in place of the number of inputs.
  const hasWitnesses = bytes[versionBytes] === 0 && bytes[versionBytes + 1] === 1
  if (hasWitnesses) reader.take(2)
  const begin = reader.position()
  const spends = readList(reader, () => {
    const txid = reverse(reader.take(txidBytes)).toString('hex')
    const index = reader.take(4).readUInt32LE()
    reader.take(reader.count())
    reader.take(4)
    return /^0+$/.test(txid) ? undefined : { txid, index }
  })
  const outputs = readList(reader, () => {
    const amount = reader.take(8).readBigUInt64LE()
    return { amount, script: reader.take(reader.count()) }
  })
  const body = bytes.subarray(begin, reader.position())
  if (hasWitnesses) for (const _ of spends) readList(reader, () => reader.take(reader.count()))
  const lockTime = reader.take(lockTimeBytes)
  if (reader.position() !== bytes.length) throw new Error('Bytes follow the transaction.')
  const hashed = Buffer.concat([bytes.subarray(0, versionBytes), body, lockTime])
  return { txid: reverse(sha256(sha256(hashed))).toString('hex'), spends, outputs }
}

type Reader = { take(length: number): Buffer; count(): number; position(): number }

function createReader(bytes: Buffer, start: number): Reader {
  let at = start

  function take(length: number): Buffer {
    if (at + length > bytes.length) throw new Error('The transaction ends too early.')
    at += length
    return bytes.subarray(at - length, at)
  }

  return {
    take,
    position: () => at,
    count() {
      const first = take(1).readUInt8()
      if (first < 0xfd) return first
      if (first === 0xfd) return take(2).readUInt16LE()
      if (first === 0xfe) return take(4).readUInt32LE()
      return Number(take(8).readBigUInt64LE())
    },
  }
}

function readList<item>(reader: Reader, read: () => item): readonly item[] {
  const items: item[] = []
  // Each item has at least a byte, so that a wrong count ends at the end of the bytes.
  for (let rest = reader.count(); rest > 0; rest -= 1) items.push(read())
  return items
}

function reverse(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toReversed())
}
