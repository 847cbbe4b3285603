import { base58 } from '@scure/base'
import { readBytes, type Bytes } from './bytes.ts'

/** A message of Solana, which is the part of a transaction that is signed: the older form, and version 0. */
export type Message = {
  readonly version: 'legacy' | 0
  /** The first ones sign, and the very first pays. */
  readonly signers: number
  readonly readonlySigners: number
  readonly readonlyOthers: number
  /** Base58, as they stand in the message. */
  readonly accounts: readonly string[]
  readonly blockhash: string
  readonly instructions: readonly Instruction[]
  /** Accounts that only the network knows: by their place in a table of its own. */
  readonly lookups: readonly Lookup[]
}

export type Instruction = { readonly program: number; readonly accounts: readonly number[]; readonly data: Uint8Array }
export type Lookup = {
  readonly table: string
  readonly writable: readonly number[]
  readonly readonly: readonly number[]
}

/** A transaction as it travels. */
export type Transaction = { readonly signatures: readonly Uint8Array[]; readonly message: Uint8Array }

const signatureLength = 64
const keyLength = 32

/**
 * Reads a transaction.
 *
 * @throws RangeError
 */
export function readTransaction(wire: Uint8Array): Transaction {
  const bytes = readBytes(wire)
  const signatures = times(bytes.length(), () => bytes.take(signatureLength))
  return { signatures, message: bytes.rest() }
}

/** Writes a transaction; a signature that is missing is written as zeros. */
export function writeTransaction({ signatures, message }: Transaction): Uint8Array {
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
 * Reads a message, whole and by the letter: what the network would read otherwise is not shown as something else.
 *
 * @throws RangeError
 */
export function readMessage(message: Uint8Array): Message {
  const bytes = readBytes(message)
  const first = bytes.byte()
  const isVersioned = first >= 0x80
  if (isVersioned && first !== 0x80) throw new RangeError('a version that is not known')
  const signers = isVersioned ? bytes.byte() : first
  const readonlySigners = bytes.byte()
  const readonlyOthers = bytes.byte()
  const accounts = times(bytes.length(), () => base58.encode(bytes.take(keyLength)))
  const blockhash = base58.encode(bytes.take(keyLength))
  const instructions = times(bytes.length(), () => readInstruction(bytes))
  const lookups = isVersioned ? times(bytes.length(), () => readLookup(bytes)) : []
  if (!bytes.isAtEnd) throw new RangeError('there are bytes behind the message')
  const known =
    accounts.length + lookups.reduce((sum, { writable, readonly }) => sum + writable.length + readonly.length, 0)
  const isSound =
    signers > 0 &&
    readonlySigners < signers &&
    signers + readonlyOthers <= accounts.length &&
    new Set(accounts).size === accounts.length &&
    instructions.every(({ program, accounts: used }) => program > 0 && [program, ...used].every((at) => at < known))
  if (!isSound) throw new RangeError('the message contradicts itself')
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

function readInstruction(bytes: Bytes): Instruction {
  const program = bytes.byte()
  const accounts = [...bytes.take(bytes.length())]
  return { program, accounts, data: bytes.take(bytes.length()) }
}

function readLookup(bytes: Bytes): Lookup {
  const table = base58.encode(bytes.take(keyLength))
  return { table, writable: [...bytes.take(bytes.length())], readonly: [...bytes.take(bytes.length())] }
}

function times<item>(count: number, read: () => item): readonly item[] {
  return Array.from({ length: count }, read)
}
