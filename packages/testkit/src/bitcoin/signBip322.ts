import { secp256k1 } from '@noble/curves/secp256k1.js'
import { base64 } from '@scure/base'
import { CompactSize, RawTx, RawWitness, Script, Transaction } from '@scure/btc-signer'
import { concatBytes, sha256x2, tagSchnorr } from '@scure/btc-signer/utils.js'
import type { BitcoinKey } from './keys.ts'

const utf8 = new TextEncoder()

/** Signs a message as wallets did before BIP-322: recoverable, with the header of a compressed key. */
export function signRecoverable({ secret }: BitcoinKey, message: string): string {
  const [title, text] = ['Bitcoin Signed Message:\n', message].map((part) => {
    const bytes = utf8.encode(part)
    return concatBytes(CompactSize.encode(BigInt(bytes.length)), bytes)
  })
  const digest = sha256x2(title ?? new Uint8Array(), text ?? new Uint8Array())
  const [recovery = 0, ...signature] = secp256k1.sign(digest, secret, { prehash: false, format: 'recovered' })
  return base64.encode(Uint8Array.of(31 + recovery, ...signature))
}

/** Signs a message by BIP-322, in its simple form: the witness of a transaction that spends the message. */
export function signBip322(key: BitcoinKey, message: string): string {
  const { script, secret, redeemScript, addressType } = key
  const messageHash = tagSchnorr('BIP0322-signed-message', utf8.encode(message))
  const spent = RawTx.encode({
    version: 0,
    segwitFlag: false,
    inputs: [
      {
        txid: new Uint8Array(32),
        index: 0xffffffff,
        finalScriptSig: concatBytes(Uint8Array.of(0, 32), messageHash),
        sequence: 0,
      },
    ],
    outputs: [{ amount: 0n, script }],
    lockTime: 0,
  })
  const options = { version: 0, allowUnknownOutputs: true, disableScriptCheck: true } as const
  const signing = new Transaction(options)
  signing.addInput({
    txid: sha256x2(spent).toReversed(),
    index: 0,
    sequence: 0,
    witnessUtxo: { script, amount: 0n },
    ...(redeemScript === undefined ? {} : { redeemScript }),
    ...(addressType === 'p2tr' ? { tapInternalKey: taprootKey(key) } : {}),
  })
  signing.addOutput({ script: Script.encode(['RETURN']), amount: 0n })
  signing.sign(secret)
  signing.finalize()
  return base64.encode(RawWitness.encode(signing.getInput(0).finalScriptWitness ?? []))
}

function taprootKey({ secret }: BitcoinKey): Uint8Array {
  return secp256k1.getPublicKey(secret).slice(1)
}
