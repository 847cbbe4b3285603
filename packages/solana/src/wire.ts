import {
  getBase58Decoder,
  getBase58Encoder,
  getBase64Decoder,
  getBase64Encoder,
  getTransactionDecoder,
  isSignature,
} from '@solana/kit'

/** Bytes as they travel to a wallet. */
export function toBase64(bytes: Uint8Array): string {
  return getBase64Decoder().decode(bytes)
}

/** Reads bytes that a wallet wrote in base64; undefined when they are none. */
export function fromBase64(value: unknown): Uint8Array | undefined {
  return bytesOf(value, getBase64Encoder())
}

/** Reads bytes that are written in base58; undefined when they are none. */
export function fromBase58(value: unknown): Uint8Array | undefined {
  return bytesOf(value, getBase58Encoder())
}

export function toBase58(bytes: Uint8Array): string {
  return getBase58Decoder().decode(bytes)
}

/** Reads a signature that a wallet wrote: 64 bytes in base58. */
export function readSignature(value: unknown): string | undefined {
  return typeof value === 'string' && isSignature(value) ? value : undefined
}

/** The signature that an account put under a transaction; undefined when there is none. */
export function signatureOf(transaction: Uint8Array, signer: string): Uint8Array | undefined {
  try {
    const signatures = new Map(Object.entries(getTransactionDecoder().decode(transaction).signatures))
    const signature = signatures.get(signer)
    return signature === undefined || signature === null ? undefined : new Uint8Array(signature)
  } catch {
    return undefined
  }
}

function bytesOf(value: unknown, encoder: ReturnType<typeof getBase64Encoder>): Uint8Array | undefined {
  try {
    return typeof value === 'string' && value !== '' ? new Uint8Array(encoder.encode(value)) : undefined
  } catch {
    return undefined
  }
}
