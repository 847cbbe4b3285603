import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { OutScript, RawTx, Script, SigHash, Transaction } from '@scure/btc-signer'
import { equalBytes, hash160, sha256x2 } from '@scure/btc-signer/utils.js'

/** A spent output: its amount and its locking script. */
export type SpentOutput = { amount: bigint; script: Uint8Array }

type Decoded = ReturnType<typeof RawTx.decode>

/**
 * Verifies the signature of an input: P2PKH, P2WPKH, P2SH-P2WPKH, and P2TR key path.
 *
 * @throws Error with the violated rule.
 */
export function checkInput(raw: Uint8Array, index: number, spent: readonly SpentOutput[]): void {
  const decoded = RawTx.decode(raw)
  const [input, output] = [decoded.inputs[index], spent[index]]
  if (input === undefined || output === undefined) throw new Error('bad-txns-inputs-missingorspent')
  const witness = decoded.witnesses?.[index] ?? []
  const lock = OutScript.decode(output.script)
  switch (lock.type) {
    case 'pkh':
      return checkLegacy(decoded, index, output.script, lock.hash, pushesOf(input.finalScriptSig))
    case 'wpkh':
      return checkWitness(raw, index, output.amount, lock.hash, witness)
    case 'sh': {
      const [redeem] = pushesOf(input.finalScriptSig)
      const inner =
        redeem === undefined || !equalBytes(hash160(redeem), lock.hash) ? undefined : OutScript.decode(redeem)
      if (inner?.type !== 'wpkh') throw createFailure('it is not P2SH-P2WPKH')
      return checkWitness(raw, index, output.amount, inner.hash, witness)
    }
    case 'tr':
      return checkTaproot(raw, index, spent, lock.pubkey, witness)
    default:
      throw createFailure(`outputs of the kind ${lock.type} are not known here`)
  }
}

function checkLegacy(
  { version, inputs, outputs, lockTime }: Decoded,
  index: number,
  script: Uint8Array,
  hash: Uint8Array,
  [signature, key]: readonly Uint8Array[],
): void {
  const { sighash, der } = splitSignature(signature)
  if (sighash !== SigHash.ALL) throw createFailure('only signatures of all are known here')
  const signed = inputs.map((input, at) => ({ ...input, finalScriptSig: at === index ? script : new Uint8Array() }))
  const preimage = RawTx.encode({ version, segwitFlag: false, inputs: signed, outputs, lockTime })
  checkKey(key, hash)
  checkSignature(der, sha256x2(preimage, Uint8Array.of(sighash, 0, 0, 0)), key)
}

function checkWitness(
  raw: Uint8Array,
  index: number,
  amount: bigint,
  hash: Uint8Array,
  [signature, key]: readonly Uint8Array[],
): void {
  const { sighash, der } = splitSignature(signature)
  const script = OutScript.encode({ type: 'pkh', hash })
  checkKey(key, hash)
  checkSignature(der, readRaw(raw).preimageWitnessV0(index, script, sighash, amount), key)
}

function checkTaproot(
  raw: Uint8Array,
  index: number,
  spent: readonly SpentOutput[],
  key: Uint8Array,
  [signature, ...others]: readonly Uint8Array[],
): void {
  if (signature === undefined || others.length > 0) throw createFailure('only spending by key is known here')
  const sighash = signature.length === 65 ? signature[64] : SigHash.DEFAULT
  const scripts = spent.map(({ script }) => script)
  const amounts = spent.map(({ amount }) => amount)
  const message = readRaw(raw).preimageWitnessV1(index, scripts, sighash ?? SigHash.DEFAULT, amounts)
  if (!schnorr.verify(signature.subarray(0, 64), message, key)) throw createFailure('Invalid Schnorr signature')
}

function readRaw(raw: Uint8Array): Transaction {
  return Transaction.fromRaw(raw, { allowUnknownInputs: true, allowUnknownOutputs: true, disableScriptCheck: true })
}

/** The last byte of a signature is its sighash type. */
function splitSignature(signature: Uint8Array | undefined): { sighash: number; der: Uint8Array } {
  const sighash = signature?.at(-1)
  if (signature === undefined || sighash === undefined) throw createFailure('a signature is missing')
  return { sighash, der: signature.subarray(0, -1) }
}

function checkKey(key: Uint8Array | undefined, hash: Uint8Array): asserts key is Uint8Array {
  if (key === undefined || !equalBytes(hash160(key), hash)) throw createFailure('the key is another one')
}

function checkSignature(der: Uint8Array, message: Uint8Array, key: Uint8Array): void {
  const options = { format: 'der', prehash: false, lowS: true } as const
  if (!secp256k1.verify(der, message, key, options)) throw createFailure('Signature must be valid')
}

function pushesOf(script: Uint8Array): readonly Uint8Array[] {
  return Script.decode(script).filter((part) => part instanceof Uint8Array)
}

function createFailure(reason: string): Error {
  return new Error(`mandatory-script-verify-flag-failed (${reason})`)
}
