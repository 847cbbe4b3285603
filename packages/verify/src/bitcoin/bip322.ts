import { bytesToHex, concatBytes } from '../bytes.ts'
import { parseBip322Signature, type Bip322Signature } from './bip322Signature.ts'
import { isSignedLegacy } from './legacy.ts'
import { parseBitcoinScript, type LockingScript } from './lockingScript.ts'
import { createToSign, createToSpend, isToSign } from './toSign.ts'
import { parseProofOfFunds } from './proofOfFunds.ts'
import { createEvaluation, LimitExceededError } from './script/evaluation.ts'
import { verifyInput } from './script/verifyInput.ts'
import { hash160 } from './taggedHash.ts'
import { parseTransaction, type Transaction, type TransactionOutput } from './transaction.ts'

/** An output that the signer of a proof of funds can spend, if it exists. */
export type ClaimedOutput = {
  /** The id of its transaction, as explorers show it. */
  readonly transactionId: string
  readonly index: number
  /** In satoshis. */
  readonly value: bigint
  /** The locking script, as hex. */
  readonly script: string
}

/** The result of a BIP-322 verification. Only `valid` proves that the address signed the message. */
export type Bip322Result =
  | {
      readonly status: 'valid'
      /** The outputs of a proof of funds; empty for other signatures. */
      readonly outputs: readonly ClaimedOutput[]
    }
  /** The signer can spend from the address only from a time on, or from an age of the coins on. */
  | {
      readonly status: 'time-locked'
      /** The lock time: a height of a block below 500,000,000, otherwise seconds since the epoch. */
      readonly time: number
      /** The sequence of the first input: the age in its format (BIP-68). */
      readonly age: number
      readonly outputs: readonly ClaimedOutput[]
    }
  /** The signature uses rules that are reserved for upgrades, or needs more work than this verifier does. */
  | { readonly status: 'inconclusive' }
  | { readonly status: 'invalid' }

/** The signed transaction, and the outputs that its inputs spend. */
type SignedMessage = { transaction: Transaction; spent: readonly TransactionOutput[] }

/** More inputs are inconclusive, so that hostile input takes a bounded time. */
const maxInputs = 200

/**
 * Verifies a BIP-322 signature of any format and script: simple (`smp…`, or without a prefix), full (`ful…`), a proof of funds
 * (`pof…`), and for P2PKH addresses the recoverable signature of `signmessage`. Sends no request.
 *
 * A proof of funds claims outputs. Look each of them up on the chain: it has to exist with the same value and script, and
 * be unspent. It never proves that there are no others.
 *
 * @param address an address of mainnet, testnet, signet or regtest
 * @param message the signed text
 * @param signature base64, with or without the prefix of its format; longer ones than 400,000 characters are invalid
 * @returns one of the states of BIP-322. Never throws
 * @example
 * const result = verifyBip322('bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l', 'Hello World', 'smpAkcwRAIg…')
 * if (result.status === 'valid') result.outputs
 */
export function verifyBip322(address: string, message: string, signature: string): Bip322Result {
  const lock = parseBitcoinScript(address)
  if (lock === undefined) return { status: 'invalid' }
  try {
    const parsed = parseBip322Signature(signature)
    if (parsed.format !== 'recoverable') return verifyTransaction(toSignedMessage(lock, message, parsed))
    const isSigned = lock.kind === 'pkh' && isSignedLegacy(lock, message, parsed.bytes)
    return isSigned ? { status: 'valid', outputs: [] } : { status: 'invalid' }
  } catch (error) {
    // Everything else is thrown because of the input: malformed bytes, or a script that fails.
    return { status: error instanceof LimitExceededError ? 'inconclusive' : 'invalid' }
  }
}

type Unlocking = Exclude<Bip322Signature, { format: 'recoverable' }>

/** @throws if the signature is malformed, or signs another message or address */
function toSignedMessage(lock: LockingScript, message: string, signature: Unlocking): SignedMessage {
  const toSpend = createToSpend(lock.script, message)
  const first = { value: 0n, script: lock.script }
  if (signature.format === 'simple') {
    const { witness } = signature
    return {
      transaction: createToSign(toSpend, { witness, scriptSig: simpleScriptSig(lock, witness) }),
      spent: [first],
    }
  }
  if (signature.format === 'full') {
    const transaction = parseTransaction(signature.bytes)
    // Further inputs belong into a proof of funds, which names what they spend.
    if (!isToSign(transaction, toSpend) || transaction.inputs.length > 1) throw new Error('not a full signature')
    return { transaction, spent: [first] }
  }
  const { transaction, claimed } = parseProofOfFunds(signature.bytes)
  if (!isToSign(transaction, toSpend)) throw new Error('not a proof of funds for the message')
  return { transaction, spent: claimed.map((output) => output ?? first) }
}

/** Wallets also use the simple format for P2SH-P2WPKH, as BIP-322 first allowed. The redeem script follows from the key. */
function simpleScriptSig({ kind }: LockingScript, witness: readonly Uint8Array[]): Uint8Array {
  const [, key] = witness
  if (kind !== 'sh' || key === undefined) return new Uint8Array()
  return concatBytes(Uint8Array.of(0x16, 0x00, 0x14), hash160(key))
}

/** @throws if an input is invalid */
function verifyTransaction({ transaction, spent }: SignedMessage): Bip322Result {
  const { inputs, version, lockTime } = transaction
  if (inputs.length > maxInputs) return { status: 'inconclusive' }
  const evaluation = createEvaluation()
  for (const index of inputs.keys()) verifyInput({ transaction, index, spent }, evaluation)
  if (!evaluation.isConclusive || (version !== 0 && version !== 2)) return { status: 'inconclusive' }
  const outputs = inputs.slice(1).map(({ outpoint }, at) => toClaimedOutput(outpoint, spent[at + 1]))
  const age = inputs[0]?.sequence ?? 0
  if (lockTime === 0 && age === 0) return { status: 'valid', outputs }
  return { status: 'time-locked', time: lockTime, age, outputs }
}

function toClaimedOutput(
  outpoint: Uint8Array,
  { value = 0n, script = new Uint8Array() }: Partial<TransactionOutput> = {},
): ClaimedOutput {
  return {
    transactionId: bytesToHex(outpoint.subarray(0, 32).toReversed()),
    index: new DataView(outpoint.buffer, outpoint.byteOffset).getUint32(32, true),
    value,
    script: bytesToHex(script),
  }
}
