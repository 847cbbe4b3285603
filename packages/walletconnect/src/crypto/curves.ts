/** An X25519 key pair (RFC 7748). */
export type KeyPair = {
  readonly publicKey: Uint8Array
  /** Rejects for public keys of low order: their shared secret is zero, known to everyone. */
  deriveSharedSecret(peerPublicKey: Uint8Array): Promise<Uint8Array>
}

/** An Ed25519 key (RFC 8032). */
export type Signer = { readonly publicKey: Uint8Array; sign(bytes: Uint8Array): Promise<Uint8Array> }

/** An implementation of Curve25519. Private keys and seeds have 32 bytes. */
export type Curves = {
  createKeyPair(privateKey: Uint8Array): Promise<KeyPair>
  createSigner(seed: Uint8Array): Promise<Signer>
}
