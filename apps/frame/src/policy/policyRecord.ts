import { ed25519 } from '@noble/curves/ed25519.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { isSameBytes } from '../custody/isSameBytes.ts'
import { seal, unseal } from '../custody/seal.ts'
import { signWalletProof } from '../custody/signWalletProof.ts'

/** The content of a record: the policy, what was spent in a day, or a policy that takes effect later. */
export type PolicyKind = 'policy' | 'spending' | 'pending'

/** A sealed and signed record, as both services store it. The counter grows with every change. */
export type PolicyRecord = {
  readonly kind: PolicyKind
  readonly counter: number
  /** Public key of the wallet for this purpose (Ed25519), 32 bytes. */
  readonly verifier: Uint8Array
  readonly sealed: Uint8Array
  readonly signature: Uint8Array
}

/**
 * Seals and signs a record with keys that are derived from the wallet's entropy for this purpose only.
 *
 * @param entropy the caller has to wipe it
 */
export async function createPolicyRecord(
  entropy: Uint8Array,
  { kind, counter, content }: { kind: PolicyKind; counter: number; content: Uint8Array },
): Promise<PolicyRecord> {
  const sealed = await seal(entropy, 'policy', headerOf(kind, counter), content)
  const key = signingKey(entropy)
  try {
    const signature = ed25519.sign(signedBytes({ kind, counter, sealed }), key)
    return { kind, counter, verifier: ed25519.getPublicKey(key), sealed, signature }
  } finally {
    key.fill(0)
  }
}

/**
 * Opens a record.
 *
 * @returns `undefined` if this wallet did not sign it
 * @throws LatchkeyError `custody/unreadable`
 */
export async function openPolicyRecord(entropy: Uint8Array, record: PolicyRecord): Promise<Uint8Array | undefined> {
  const { kind, counter, sealed } = record
  if (!isOwnRecord(entropy, record)) return undefined
  return unseal(entropy, 'policy', headerOf(kind, counter), sealed, 'The signing policy')
}

function isOwnRecord(entropy: Uint8Array, record: PolicyRecord): boolean {
  const key = signingKey(entropy)
  try {
    const verifier = ed25519.getPublicKey(key)
    const isOwnKey = isSameBytes(record.verifier, verifier)
    return isOwnKey && ed25519.verify(record.signature, signedBytes(record), verifier, { zip215: false })
  } catch {
    return false
  } finally {
    key.fill(0)
  }
}

/** Signs the key of the records with the wallet's account, which the auth service knows. */
export function certifyVerifier(entropy: Uint8Array, verifier: Uint8Array): Promise<Uint8Array> {
  return signWalletProof(entropy, sha256(concatBytes(utf8ToBytes('latchkey/policy-key/1'), verifier)))
}

function signingKey(entropy: Uint8Array): Uint8Array {
  return hkdf(sha256, entropy, undefined, utf8ToBytes('latchkey/policy-signing/1'), 32)
}

const headerOf = (kind: PolicyKind, counter: number): Uint8Array => concatBytes(utf8ToBytes(kind), bytesOf(counter))

/** The first byte keeps the signature apart from those of Solana transactions. */
function signedBytes({ kind, counter, sealed }: Pick<PolicyRecord, 'kind' | 'counter' | 'sealed'>): Uint8Array {
  return concatBytes(Uint8Array.of(0xff), utf8ToBytes(`latchkey/policy/1/${kind}`), bytesOf(counter), sha256(sealed))
}

function bytesOf(counter: number): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(counter))
  return bytes
}
