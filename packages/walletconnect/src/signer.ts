import { fromBase64Url } from './bytes.ts'

/** An Ed25519 key (RFC 8032) that signs. */
export type Signer = { readonly publicKey: Uint8Array; sign(bytes: Uint8Array): Promise<Uint8Array> }

/** What stands before the 32 bytes of the seed in a PKCS #8 private key (RFC 8410 §7). */
const pkcs8Prefix = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20]

/**
 * Makes a signer from a seed of 32 bytes: with the platform's cryptography, or where it has no Ed25519 or the page is
 * not a secure context, with our own copy, which is loaded then.
 */
export async function createSigner(seed: Uint8Array): Promise<Signer> {
  try {
    return await platformSigner(seed)
  } catch {
    const { portableSigner } = await import('./portableSigner.ts')
    return portableSigner(seed)
  }
}

/** Signs with the Web Cryptography API. */
export async function platformSigner(seed: Uint8Array): Promise<Signer> {
  const { subtle } = crypto
  const encoded = Uint8Array.from([...pkcs8Prefix, ...seed])
  const key = await subtle.importKey('pkcs8', encoded, 'Ed25519', true, ['sign'])
  // Nothing else in that interface tells the public key of a private one.
  const { x = '' } = await subtle.exportKey('jwk', key)
  return {
    publicKey: fromBase64Url(x),
    sign: async (bytes) => new Uint8Array(await subtle.sign('Ed25519', key, Uint8Array.from(bytes))),
  }
}
