import { RawTx } from '@scure/btc-signer/script.js'
import { concatBytes } from '../bytes.ts'
import { compactSize, doubleSha256, uint32, uint64 } from './taggedHash.ts'

export type TransactionOutput = { readonly value: bigint; readonly script: Uint8Array }

export type TransactionInput = {
  /** The hash of the spent transaction and the index of its output, as in the transaction. */
  readonly outpoint: Uint8Array
  readonly scriptSig: Uint8Array
  readonly witness: readonly Uint8Array[]
  readonly sequence: number
}

export type Transaction = {
  readonly version: number
  readonly inputs: readonly TransactionInput[]
  readonly outputs: readonly TransactionOutput[]
  readonly lockTime: number
}

/** A transaction as the library decodes it, with or without witnesses. */
export type DecodedTransaction = {
  readonly version: number
  readonly inputs: readonly {
    readonly txid: Uint8Array
    readonly index: number
    readonly finalScriptSig: Uint8Array
    readonly sequence: number
  }[]
  readonly outputs: readonly { readonly amount: bigint; readonly script: Uint8Array }[]
  readonly witnesses?: readonly (readonly Uint8Array[])[] | undefined
  readonly lockTime: number
}

/**
 * Parses a transaction in network serialisation (BIP-144).
 *
 * @throws if bytes are missing or left over, or if a length is not encoded minimally
 */
export function parseTransaction(bytes: Uint8Array): Transaction {
  return toTransaction(RawTx.decode(bytes))
}

/** Converts a transaction of the library. */
export function toTransaction({ version, inputs, outputs, witnesses, lockTime }: DecodedTransaction): Transaction {
  return {
    version,
    lockTime,
    inputs: inputs.map(({ txid, index, finalScriptSig, sequence }, at) => ({
      // The library has the order of bytes in which hashes are displayed.
      outpoint: concatBytes(txid.toReversed(), uint32(index)),
      scriptSig: finalScriptSig,
      witness: witnesses?.[at] ?? [],
      sequence,
    })),
    outputs: outputs.map(({ amount, script }) => ({ value: amount, script })),
  }
}

/** Hashes a transaction without its witnesses, as outpoints name it. */
export function hashTransaction(transaction: Transaction): Uint8Array {
  return doubleSha256(serializeTransaction(transaction))
}

/** Serialises a transaction without its witnesses. */
export function serializeTransaction({ version, inputs, outputs, lockTime }: Transaction): Uint8Array {
  return concatBytes(
    uint32(version),
    compactSize(inputs.length),
    ...inputs.flatMap(({ outpoint, scriptSig, sequence }) => [outpoint, withLength(scriptSig), uint32(sequence)]),
    compactSize(outputs.length),
    ...outputs.map(serializeOutput),
    uint32(lockTime),
  )
}

/** Serialises an output. */
export function serializeOutput({ value, script }: TransactionOutput): Uint8Array {
  return concatBytes(uint64(value), withLength(script))
}

/** Puts the length of bytes before them. */
export function withLength(bytes: Uint8Array): Uint8Array {
  return concatBytes(compactSize(bytes.length), bytes)
}
