import { tryOrUndefined } from '@latchkey/adapter-kit'
import { getBase58Decoder, getBase58Encoder, getBase64Decoder, getBase64Encoder } from '@solana/kit'

/** Encodes bytes in base64, as transactions are sent to wallets. */
export function toBase64(bytes: Uint8Array): string {
  return getBase64Decoder().decode(bytes)
}

/** Decodes base64 from a wallet. Returns `undefined` if the value is not base64. */
export function fromBase64(value: unknown): Uint8Array | undefined {
  return encodeText(value, getBase64Encoder())
}

/** Encodes bytes in base58, as signatures and keys are written. */
export function toBase58(bytes: Uint8Array): string {
  return getBase58Decoder().decode(bytes)
}

/** Decodes base58 from a wallet. Returns `undefined` if the value is not base58. */
export function fromBase58(value: unknown): Uint8Array | undefined {
  return encodeText(value, getBase58Encoder())
}

function encodeText(value: unknown, encoder: ReturnType<typeof getBase64Encoder>): Uint8Array | undefined {
  if (typeof value !== 'string' || value === '') return undefined
  return tryOrUndefined(() => new Uint8Array(encoder.encode(value)))
}
