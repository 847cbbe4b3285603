import { releaseError } from './releaseError.ts'

const keyBytes = 32
const signatureBytes = 64

/**
 * Parses the public key of a signer.
 *
 * @param text the 32 bytes of an Ed25519 key in base64url without padding, 43 characters
 * @throws LatchkeyError `release/invalid`
 * @example parseReleaseKey('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo')
 */
export function parseReleaseKey(text: string): Uint8Array {
  const key = decodeBase64url(text)
  if (key?.length === keyBytes) return key
  throw releaseError('release/invalid', { reason: 'the public key of a signer is not 43 characters of base64url' })
}

/** Parses a signature, 64 bytes in base64url. @returns `undefined` for anything else */
export function parseSignature(text: string): Uint8Array | undefined {
  const signature = decodeBase64url(text)
  return signature?.length === signatureBytes ? signature : undefined
}

/**
 * Formats bytes as base64url without padding (RFC 4648 §5).
 *
 * @example encodeReleaseBytes(new Uint8Array([255, 254])) // '__4'
 */
export function encodeReleaseBytes(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** Only the canonical text of some bytes is accepted, so that one key has one name. */
function decodeBase64url(text: string): Uint8Array | undefined {
  if (text.length > 2 * signatureBytes || !/^[\w-]+$/.test(text)) return undefined
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0))
    return encodeReleaseBytes(bytes) === text ? bytes : undefined
  } catch {
    return undefined
  }
}
