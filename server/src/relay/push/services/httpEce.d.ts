/** The parts of http_ece that the push gateway uses; the package has no types. */
declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'

  type EncryptionOptions = {
    version: 'aes128gcm'
    /** The public key of the receiver: 65 bytes as base64url. */
    dh: string
    /** The shared secret of the receiver: 16 bytes as base64url. */
    authSecret: string
    privateKey: ECDH
    salt?: string
  }
  export function encrypt(buffer: Buffer, options: EncryptionOptions): Buffer
}
