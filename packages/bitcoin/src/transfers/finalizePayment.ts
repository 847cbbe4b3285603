import { base64 } from '@scure/base'
import { RawTx, Script, SigHash, Transaction } from '@scure/btc-signer'
import { equalBytes } from '@scure/btc-signer/utils.js'

/** The first byte of a Taproot script: `OP_1`. */
const taprootVersion = 0x51

/**
 * Finalizes a payment that a wallet signed, and proves that it is the requested one: the same inputs and the same outputs,
 * each input signed in a way that covers them all.
 *
 * @param psbt the wallet's response, in base64
 * @returns undefined if the wallet changed the payment or did not sign all of it
 */
export function finalizePayment(requested: Transaction, psbt: string): Transaction | undefined {
  try {
    const signed = Transaction.fromPSBT(base64.decode(psbt))
    if (!signed.isFinal) signed.finalize()
    return isSamePayment(requested, signed) && signsWholePayment(requested, signed) ? signed : undefined
  } catch {
    return undefined
  }
}

/** Compares everything that the network executes, except the signatures. */
function isSamePayment(requested: Transaction, signed: Transaction): boolean {
  const { version, inputs, outputs, lockTime } = RawTx.decode(signed.toBytes(true, true))
  const unsigned = inputs.map((input) => ({ ...input, finalScriptSig: new Uint8Array() }))
  const bare = RawTx.encode({ version, segwitFlag: false, inputs: unsigned, outputs, lockTime })
  return equalBytes(bare, requested.toBytes(false, false))
}

/** Other kinds of signatures let anyone change outputs after the wallet signed (`NONE`, `SINGLE`, `ANYONECANPAY`). */
function signsWholePayment(requested: Transaction, signed: Transaction): boolean {
  const { inputs, witnesses } = RawTx.decode(signed.toBytes(true, true))
  return inputs.every(({ finalScriptSig }, at) => {
    const [first] = witnesses?.[at] ?? []
    const signature = first ?? Script.decode(finalScriptSig).find((part) => part instanceof Uint8Array)
    if (signature === undefined) return false
    // A Schnorr signature without a type covers everything (BIP-341).
    return (isTaproot(requested, at) && signature.length === 64) || signature.at(-1) === SigHash.ALL
  })
}

function isTaproot(requested: Transaction, at: number): boolean {
  return requested.getInput(at).witnessUtxo?.script[0] === taprootVersion
}
