import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '../../kit/secrets/sha256.ts'

/** The content of a record: the policy, what was spent in a day, or a policy that takes effect later. */
export const policyKinds = ['policy', 'spending', 'pending'] as const
export type PolicyKind = (typeof policyKinds)[number]

/** A record as the wallet signs it. */
export type SignedPolicyRecord = {
  readonly kind: PolicyKind
  /** Grows with every change. */
  readonly counter: number
  /** Public key of the wallet for this purpose (Ed25519), 32 bytes. */
  readonly verifier: Uint8Array
  /** Encrypted by the wallet. */
  readonly sealed: Uint8Array
  readonly signature: Uint8Array
}

/** Returns the bytes that the wallet signs. The first byte keeps them apart from Solana transactions. */
export function policyRecordBytes({ kind, counter, sealed }: Omit<SignedPolicyRecord, 'signature'>): Buffer {
  const count = Buffer.alloc(8)
  count.writeBigUInt64BE(BigInt(counter))
  return Buffer.concat([Buffer.of(0xff), Buffer.from(`latchkey/policy/1/${kind}`), count, sha256(sealed)])
}

/** Verifies the signature of a record (Ed25519). */
export function verifyPolicyRecord(record: SignedPolicyRecord): boolean {
  const { verifier, signature } = record
  try {
    return ed25519.verify(
      Uint8Array.from(signature),
      Uint8Array.from(policyRecordBytes(record)),
      Uint8Array.from(verifier),
      {
        zip215: false,
      },
    )
  } catch {
    return false
  }
}

/** Returns the challenge that the wallet's account signs once, so that no other key signs the records of its owner. */
export function policyVerifierChallenge(verifier: Uint8Array): Buffer {
  return sha256(Buffer.concat([Buffer.from('latchkey/policy-key/1'), verifier]))
}
