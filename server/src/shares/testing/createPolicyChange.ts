import { randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { policyRecordBytes } from '../../custody/policies/verifyPolicyRecord.ts'

/** Creates the request that writes a signed record of a policy over the record with the counter before. */
export function createPolicyChange(key: Uint8Array, counter: number): Readonly<Record<string, string | number>> {
  const encode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
  const record = { kind: 'policy', counter, verifier: ed25519.getPublicKey(key), sealed: randomBytes(40) } as const
  return {
    kind: record.kind,
    counter,
    previous: counter - 1,
    verifier: encode(record.verifier),
    sealed: encode(record.sealed),
    signature: encode(ed25519.sign(Uint8Array.from(policyRecordBytes(record)), key)),
    // For the auth service, which verifies another proof.
    certificate: randomBytes(64).toString('base64url'),
  }
}
