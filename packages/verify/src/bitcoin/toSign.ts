import { concatBytes, isEqualBytes, utf8Bytes } from '../bytes.ts'
import { taggedHash, uint32 } from './taggedHash.ts'
import { hashTransaction, type Transaction, type TransactionInput, type TransactionOutput } from './transaction.ts'

/** The only output of the transaction that signs: no value, locked by `OP_RETURN`. */
const signedOutput: TransactionOutput = { value: 0n, script: Uint8Array.of(0x6a) }

/** Creates the transaction `to_spend` of BIP-322, which locks a message to a script. */
export function createToSpend(script: Uint8Array, message: string): Transaction {
  const messageHash = taggedHash('BIP0322-signed-message', utf8Bytes(message))
  const input: TransactionInput = {
    outpoint: concatBytes(new Uint8Array(32), uint32(0xffff_ffff)),
    scriptSig: concatBytes(Uint8Array.of(0x00, 0x20), messageHash),
    witness: [],
    sequence: 0,
  }
  return { version: 0, inputs: [input], outputs: [{ value: 0n, script }], lockTime: 0 }
}

/** Creates the transaction `to_sign` that a simple signature stands for. */
export function createToSign(
  toSpend: Transaction,
  { witness, scriptSig }: Pick<TransactionInput, 'witness' | 'scriptSig'>,
): Transaction {
  const input: TransactionInput = { outpoint: messageOutpoint(toSpend), scriptSig, witness, sequence: 0 }
  return { version: 0, inputs: [input], outputs: [signedOutput], lockTime: 0 }
}

/** True if a transaction first spends the message, spends nothing twice, and has no outputs that mean something. */
export function isToSign({ inputs, outputs }: Transaction, toSpend: Transaction): boolean {
  const outpoints = inputs.map(({ outpoint }) => outpoint.join())
  const [output] = outputs
  return (
    outpoints[0] === messageOutpoint(toSpend).join() &&
    new Set(outpoints).size === outpoints.length &&
    outputs.length === 1 &&
    output?.value === signedOutput.value &&
    isEqualBytes(output.script, signedOutput.script)
  )
}

function messageOutpoint(toSpend: Transaction): Uint8Array {
  return concatBytes(hashTransaction(toSpend), uint32(0))
}
