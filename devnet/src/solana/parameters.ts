import { getBase58Encoder, getBase64Encoder, isAddress, type Address } from '@solana/kit'
import { JsonRpcError, readRecord } from './jsonRpc.ts'

/** @throws JsonRpcError -32602 unless it is an address. */
export function readAddress(value: unknown): Address {
  if (typeof value === 'string' && isAddress(value)) return value
  throw new JsonRpcError(-32_602, 'Invalid param: Invalid')
}

/** @throws JsonRpcError -32602 unless it is a list of addresses. */
export function readAddresses(value: unknown): readonly Address[] {
  if (!Array.isArray(value)) throw new JsonRpcError(-32_602, 'Invalid param: expected a list')
  return value.map(readAddress)
}

/** @throws JsonRpcError -32602 unless it is a list of texts. */
export function readTexts(value: unknown): readonly string[] {
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value
  throw new JsonRpcError(-32_602, 'Invalid param: expected a list of texts')
}

/** @throws JsonRpcError -32602 unless it is a whole number. */
export function readAmount(value: unknown): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  throw new JsonRpcError(-32_602, 'Invalid param: expected a whole number')
}

/**
 * Reads bytes that are written in the encoding that the configuration names, base58 without one.
 *
 * @throws JsonRpcError -32602 when they are not.
 */
export function readBytes(value: unknown, config: unknown): Uint8Array {
  const encoder = readRecord(config)['encoding'] === 'base64' ? getBase64Encoder() : getBase58Encoder()
  try {
    if (typeof value === 'string') return new Uint8Array(encoder.encode(value))
  } catch {
    // Told below, like what is no text at all.
  }
  throw new JsonRpcError(-32_602, 'Invalid param: the bytes cannot be decoded')
}
