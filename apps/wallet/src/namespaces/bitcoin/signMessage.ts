import { secp256k1 } from '@noble/curves/secp256k1.js'
import { CompactSize, RawTx, RawWitness, Script, Transaction } from '@scure/btc-signer'
import { concatBytes, sha256x2, tagSchnorr } from '@scure/btc-signer/utils.js'
import type { BitcoinKey } from './bitcoinAccount.ts'

const utf8 = new TextEncoder()

/** Signs a message with the requested protocol: a recoverable ECDSA signature or BIP-322. Taproot supports only BIP-322. */
export function signMessage(key: BitcoinKey, message: string, protocol: unknown): Uint8Array {
  return protocol === 'bip322' || key.tapInternalKey !== undefined ? signBip322(key, message) : signEcdsa(key, message)
}

function signEcdsa({ secret }: BitcoinKey, message: string): Uint8Array {
  const digest = sha256x2(withLength('Bitcoin Signed Message:\n'), withLength(message))
  const [recovery = 0, ...signature] = secp256k1.sign(digest, secret, { prehash: false, format: 'recovered' })
  // The header byte of a compressed key.
  return Uint8Array.of(31 + recovery, ...signature)
}

function withLength(text: string): Uint8Array {
  const bytes = utf8.encode(text)
  return concatBytes(CompactSize.encode(BigInt(bytes.length)), bytes)
}

/** Creates the witness of a transaction that spends the message (BIP-322, simple). */
function signBip322({ script, secret, tapInternalKey }: BitcoinKey, message: string): Uint8Array {
  const messageHash = tagSchnorr('BIP0322-signed-message', utf8.encode(message))
  const finalScriptSig = concatBytes(Uint8Array.of(0, 32), messageHash)
  const spent = RawTx.encode({
    version: 0,
    segwitFlag: false,
    inputs: [{ txid: new Uint8Array(32), index: 0xffffffff, finalScriptSig, sequence: 0 }],
    outputs: [{ amount: 0n, script }],
    lockTime: 0,
  })
  const signing = new Transaction({ version: 0, allowUnknownOutputs: true, disableScriptCheck: true })
  const input = { txid: sha256x2(spent).toReversed(), index: 0, sequence: 0, witnessUtxo: { script, amount: 0n } }
  signing.addInput(tapInternalKey === undefined ? input : { ...input, tapInternalKey })
  signing.addOutput({ script: Script.encode(['RETURN']), amount: 0n })
  signing.sign(secret)
  signing.finalize()
  return RawWitness.encode(signing.getInput(0).finalScriptWitness ?? [])
}
