import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '../bytes.ts'
import { doubleSha256, taggedHash, uint32, uint64 } from './taggedHash.ts'
import {
  serializeOutput,
  serializeTransaction,
  withLength,
  type Transaction,
  type TransactionOutput,
} from './transaction.ts'

/** An input of a transaction, with the outputs that all its inputs spend. */
export type SignatureHashInput = {
  readonly transaction: Transaction
  readonly index: number
  readonly spent: readonly TransactionOutput[]
}

const sighashAll = 0x01

/** Hashes an input for a signature of a script without a witness. */
export function hashForLegacy({ transaction, index }: SignatureHashInput, scriptCode: Uint8Array): Uint8Array {
  const inputs = transaction.inputs.map((input, at) => ({
    ...input,
    scriptSig: at === index ? scriptCode : new Uint8Array(),
  }))
  return doubleSha256(serializeTransaction({ ...transaction, inputs }), uint32(sighashAll))
}

/** Hashes an input for a signature of a witness of version 0 (BIP-143). */
export function hashForWitness({ transaction, index, spent }: SignatureHashInput, scriptCode: Uint8Array): Uint8Array {
  const { version, inputs, outputs, lockTime } = transaction
  const { outpoint = new Uint8Array(), sequence = 0 } = inputs[index] ?? {}
  return doubleSha256(
    uint32(version),
    doubleSha256(...inputs.map((input) => input.outpoint)),
    doubleSha256(...inputs.map((input) => uint32(input.sequence))),
    outpoint,
    withLength(scriptCode),
    uint64(spent[index]?.value ?? 0n),
    uint32(sequence),
    doubleSha256(...outputs.map(serializeOutput)),
    uint32(lockTime),
    uint32(sighashAll),
  )
}

/** The parts of a Taproot hash that do not follow from the transaction. */
export type TaprootTerms = {
  readonly sighashType: 0 | 1
  readonly annex: Uint8Array | undefined
  /** The hash of the executed leaf, or `undefined` for the key of the address. */
  readonly leafHash: Uint8Array | undefined
}

/** Hashes an input for a Schnorr signature (BIP-341, BIP-342). */
export function hashForTaproot({ transaction, index, spent }: SignatureHashInput, terms: TaprootTerms): Uint8Array {
  const { version, inputs, outputs, lockTime } = transaction
  const { sighashType, annex, leafHash } = terms
  const spendType = (leafHash === undefined ? 0 : 2) + (annex === undefined ? 0 : 1)
  const keyVersion = Uint8Array.of(0x00)
  const noCodeSeparator = uint32(0xffff_ffff)
  return taggedHash(
    'TapSighash',
    Uint8Array.of(0x00, sighashType),
    uint32(version),
    uint32(lockTime),
    sha256(concatBytes(...inputs.map(({ outpoint }) => outpoint))),
    sha256(concatBytes(...spent.map(({ value }) => uint64(value)))),
    sha256(concatBytes(...spent.map(({ script }) => withLength(script)))),
    sha256(concatBytes(...inputs.map(({ sequence }) => uint32(sequence)))),
    sha256(concatBytes(...outputs.map(serializeOutput))),
    Uint8Array.of(spendType),
    uint32(index),
    ...(annex === undefined ? [] : [sha256(withLength(annex))]),
    ...(leafHash === undefined ? [] : [leafHash, keyVersion, noCodeSeparator]),
  )
}
