import { base58 } from '@scure/base'
import { createByteReader, type ByteReader } from './byteReader.ts'

/** The signed message of a Solana transaction: legacy or version 0. */
export type SolanaMessage = {
  readonly version: 'legacy' | 0
  /** The first accounts sign. The very first pays. */
  readonly signers: number
  readonly readonlySigners: number
  readonly readonlyOthers: number
  /** Base58, in the order of the message. */
  readonly accounts: readonly string[]
  readonly blockhash: string
  readonly instructions: readonly Instruction[]
  /** Accounts in lookup tables, by index. */
  readonly lookups: readonly Lookup[]
}

export type Instruction = { readonly program: number; readonly accounts: readonly number[]; readonly data: Uint8Array }
export type Lookup = {
  readonly table: string
  readonly writable: readonly number[]
  readonly readonly: readonly number[]
}

/** A serialised transaction: signatures and message. */
export type SolanaTransaction = { readonly signatures: readonly Uint8Array[]; readonly message: Uint8Array }

const signatureLength = 64
const keyLength = 32

/**
 * Parses a transaction.
 *
 * @throws RangeError
 */
export function parseTransaction(wire: Uint8Array): SolanaTransaction {
  const bytes = createByteReader(wire)
  const signatures = readItems(bytes.length(), () => bytes.take(signatureLength))
  return { signatures, message: bytes.rest() }
}

/** Serialises a transaction. Missing signatures are zeros. */
export function serializeTransaction({ signatures, message }: SolanaTransaction): Uint8Array {
  const length = lengthBytes(signatures.length)
  const wire = new Uint8Array(length.length + signatures.length * signatureLength + message.length)
  wire.set(length)
  signatures.forEach((signature, at) => wire.set(signature, length.length + at * signatureLength))
  wire.set(message, length.length + signatures.length * signatureLength)
  return wire
}

function lengthBytes(length: number): readonly number[] {
  if (length < 0x80) return [length]
  return [(length & 0x7f) | 0x80, ...lengthBytes(length >> 7)]
}

/**
 * Parses a message strictly, so that the network can't read it differently from what is shown.
 *
 * @throws RangeError
 */
export function parseMessage(message: Uint8Array): SolanaMessage {
  const bytes = createByteReader(message)
  const first = bytes.byte()
  const isVersioned = first >= 0x80
  if (isVersioned && first !== 0x80) throw new RangeError('unknown message version')
  const signers = isVersioned ? bytes.byte() : first
  const readonlySigners = bytes.byte()
  const readonlyOthers = bytes.byte()
  const accounts = readItems(bytes.length(), () => base58.encode(bytes.take(keyLength)))
  const blockhash = base58.encode(bytes.take(keyLength))
  const instructions = readItems(bytes.length(), () => readInstruction(bytes))
  const lookups = isVersioned ? readItems(bytes.length(), () => readLookup(bytes)) : []
  if (!bytes.isAtEnd) throw new RangeError('unexpected data after the message')
  const known =
    accounts.length + lookups.reduce((sum, { writable, readonly }) => sum + writable.length + readonly.length, 0)
  const isSound =
    signers > 0 &&
    readonlySigners < signers &&
    signers + readonlyOthers <= accounts.length &&
    new Set(accounts).size === accounts.length &&
    instructions.every(({ program, accounts: used }) => program > 0 && [program, ...used].every((at) => at < known))
  if (!isSound) throw new RangeError('the message is inconsistent')
  return {
    version: isVersioned ? 0 : 'legacy',
    signers,
    readonlySigners,
    readonlyOthers,
    accounts,
    blockhash,
    instructions,
    lookups,
  }
}

function readInstruction(bytes: ByteReader): Instruction {
  const program = bytes.byte()
  const accounts = [...bytes.take(bytes.length())]
  return { program, accounts, data: bytes.take(bytes.length()) }
}

function readLookup(bytes: ByteReader): Lookup {
  const table = base58.encode(bytes.take(keyLength))
  return { table, writable: [...bytes.take(bytes.length())], readonly: [...bytes.take(bytes.length())] }
}

function readItems<item>(count: number, read: () => item): readonly item[] {
  return Array.from({ length: count }, read)
}
