import { RawPSBTV0 } from '@scure/btc-signer/psbt.js'
import { isEqualBytes } from '../bytes.ts'
import { brokenRule } from './script/brokenRule.ts'
import {
  hashTransaction,
  toTransaction,
  type DecodedTransaction,
  type Transaction,
  type TransactionOutput,
} from './transaction.ts'

/** A proof of funds: the signed transaction, and the outputs that its inputs spend, as the signer names them. */
export type ProofOfFunds = {
  readonly transaction: Transaction
  readonly claimed: readonly (TransactionOutput | undefined)[]
}

type Psbt = ReturnType<typeof RawPSBTV0.decode>

/**
 * Parses a proof of funds: a finalized PSBT (BIP-174).
 *
 * @returns the transaction with the signatures of its inputs. The output of the first input is not claimed.
 * @throws if it is malformed, if an output has the wrong transaction, or if an input has no output
 */
export function parseProofOfFunds(bytes: Uint8Array): ProofOfFunds {
  const psbt = RawPSBTV0.decode(bytes)
  const unsigned: DecodedTransaction = psbt.global.unsignedTx ?? brokenRule('the PSBT has no transaction')
  const transaction = toTransaction({
    ...unsigned,
    inputs: unsigned.inputs.map((input, at) => ({
      ...input,
      finalScriptSig: psbt.inputs[at]?.finalScriptSig ?? new Uint8Array(),
    })),
    witnesses: psbt.inputs.map(({ finalScriptWitness = [] }) => finalScriptWitness),
  })
  return {
    transaction,
    claimed: transaction.inputs.map((_, at) => (at === 0 ? undefined : findOutput(psbt, transaction, at))),
  }
}

/**
 * Finds the output that an input spends. Only the hash of the whole transaction proves an output to a legacy signature; a
 * witness signs the value itself. The transaction may be given once for several inputs.
 */
function findOutput({ inputs }: Psbt, transaction: Transaction, at: number): TransactionOutput {
  const { outpoint = new Uint8Array(), witness = [] } = transaction.inputs[at] ?? {}
  const hash = outpoint.subarray(0, 32)
  const { witnessUtxo } = inputs[at] ?? {}
  const own = inputs[at]?.nonWitnessUtxo
  const earlier = inputs.findIndex(
    (input, place) =>
      place < at &&
      input.nonWitnessUtxo !== undefined &&
      isEqualBytes(transaction.inputs[place]?.outpoint.subarray(0, 32) ?? new Uint8Array(), hash),
  )
  const source = own ?? (witnessUtxo === undefined ? inputs[earlier]?.nonWitnessUtxo : undefined)
  if (source === undefined) {
    if (witnessUtxo === undefined || witness.length === 0) return brokenRule('an input has no output that it spends')
    return { value: witnessUtxo.amount, script: witnessUtxo.script }
  }
  const previous = toTransaction(source)
  if (!isEqualBytes(hashTransaction(previous), hash)) return brokenRule('an output is of another transaction')
  const index = new DataView(outpoint.buffer, outpoint.byteOffset).getUint32(32, true)
  const output = previous.outputs[index] ?? brokenRule('an output does not exist')
  if (witnessUtxo !== undefined && !isSameOutput(output, witnessUtxo)) return brokenRule('two outputs contradict')
  return output
}

function isSameOutput({ value, script }: TransactionOutput, other: { amount: bigint; script: Uint8Array }): boolean {
  return value === other.amount && isEqualBytes(script, other.script)
}
