import { isRecord } from '../isRecord.ts'
import { parseFrameManifest, parseReleaseJson, type FrameManifest } from './frameManifest.ts'
import { releaseError } from './releaseError.ts'
import { parseReleaseKey, parseSignature } from './releaseKey.ts'

/** A signature over a manifest, as `manifest.signatures.json` lists it. */
export type ReleaseSignature = {
  /** Public key of the signer, base64url. */
  readonly key: string
  /** Ed25519 signature over `releaseMessage`, base64url. */
  readonly signature: string
}

/** Verifies an Ed25519 signature (RFC 8032). */
export type VerifyEd25519 = (publicKey: Uint8Array, signature: Uint8Array, message: Uint8Array) => Promise<boolean>

/** The signers that a reader of a release accepts. */
export type ReleaseSigners = {
  /** Public keys, base64url. */
  readonly keys: readonly string[]
  /** Number of different keys that must have signed. Default: 1. */
  readonly threshold?: number
}

/** Name of the signature file, which is next to the manifest. */
export const signaturesName = 'manifest.signatures.json'

const mostSignatures = 16

/**
 * Returns the bytes that a signer signs: a prefix, so that the signature has no other use, and the manifest.
 *
 * @example const message = releaseMessage(bytes)
 */
export function releaseMessage(manifest: Uint8Array): Uint8Array {
  const prefix = new TextEncoder().encode('latchkey frame release 1\n')
  const message = new Uint8Array(prefix.length + manifest.length)
  message.set(prefix)
  message.set(manifest, prefix.length)
  return message
}

/**
 * Parses the signatures of a release from an untrusted source.
 *
 * @throws LatchkeyError `release/invalid`
 * @example for (const { key } of parseReleaseSignatures(bytes)) console.log(key)
 */
export function parseReleaseSignatures(bytes: Uint8Array): readonly ReleaseSignature[] {
  const value = parseReleaseJson(bytes, 'the file of signatures')
  const { signatures } = isRecord(value) ? value : {}
  if (!Array.isArray(signatures) || signatures.length > mostSignatures) {
    throw releaseError('release/invalid', { reason: 'the file of signatures lists none or too many' })
  }
  return signatures.map((each: unknown) => {
    const { key, signature } = isRecord(each) ? each : {}
    if (typeof key === 'string' && typeof signature === 'string') return { key, signature }
    throw releaseError('release/invalid', { reason: 'a signature has no key or no value' })
  })
}

/**
 * Verifies that enough signers signed a manifest, and returns its content.
 *
 * @param manifest content of `manifest.json`, exactly as it was signed
 * @param signatures content of `manifest.signatures.json`
 * @param verify default: the Web Cryptography API
 * @throws LatchkeyError `release/invalid` if fewer than `threshold` of the keys signed this manifest
 * @example const { files } = await verifyRelease(manifest, signatures, { keys: [alice, bob], threshold: 2 })
 */
export async function verifyRelease(
  manifest: Uint8Array,
  signatures: Uint8Array,
  { keys, threshold = 1 }: ReleaseSigners,
  verify: VerifyEd25519 = verifyWithWebCrypto,
): Promise<FrameManifest> {
  // Canonical strings: a key that is listed twice counts once.
  const accepted = [...new Set(keys)].map((text) => ({ text, bytes: parseReleaseKey(text) }))
  if (!Number.isInteger(threshold) || threshold < 1 || threshold > accepted.length) {
    throw releaseError('release/invalid', { reason: `${threshold} of ${accepted.length} signers can't be required` })
  }
  const given = parseReleaseSignatures(signatures)
  const message = releaseMessage(manifest)
  const isSigned = async ({ text, bytes }: { text: string; bytes: Uint8Array }): Promise<boolean> => {
    for (const { key, signature } of given) {
      const parsed = key === text ? parseSignature(signature) : undefined
      if (parsed !== undefined && (await verify(bytes, parsed, message))) return true
    }
    return false
  }
  const results = await Promise.all(accepted.map(isSigned))
  const count = results.filter(Boolean).length
  if (count < threshold) {
    throw releaseError('release/invalid', { reason: `${count} of ${threshold} required signers signed the manifest` })
  }
  return parseFrameManifest(manifest)
}

/**
 * Verifies with the Web Cryptography API.
 *
 * @throws DOMException `NotSupportedError` on platforms without Ed25519
 * @example const isValid = await verifyWithWebCrypto(publicKeyBytes, signatureBytes, bytes)
 */
export const verifyWithWebCrypto: VerifyEd25519 = async (publicKey, signature, message) => {
  const { subtle } = crypto
  const key = await subtle.importKey('raw', Uint8Array.from(publicKey), 'Ed25519', false, ['verify'])
  return subtle.verify('Ed25519', key, Uint8Array.from(signature), Uint8Array.from(message))
}
