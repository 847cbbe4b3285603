import { getBase58Encoder, getBase64Encoder, isAddress, type Address } from '@solana/kit'
import { JsonRpcError, readRecord } from './jsonRpc.ts'

/** @throws JsonRpcError -32602 if it is not an address. */
export function parseAddressParameter(value: unknown): Address {
  if (typeof value === 'string' && isAddress(value)) return value
  throw new JsonRpcError(-32_602, 'Invalid param: Invalid')
}

/** @throws JsonRpcError -32602 if it is not a list of addresses. */
export function parseAddressesParameter(value: unknown): readonly Address[] {
  if (!Array.isArray(value)) throw new JsonRpcError(-32_602, 'Invalid param: expected a list')
  return value.map(parseAddressParameter)
}

/** @throws JsonRpcError -32602 if it is not a list of strings. */
export function parseTextsParameter(value: unknown): readonly string[] {
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value
  throw new JsonRpcError(-32_602, 'Invalid param: expected a list of strings')
}

/** @throws JsonRpcError -32602 if it is not an integer. */
export function parseAmountParameter(value: unknown): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  throw new JsonRpcError(-32_602, 'Invalid param: expected a whole number')
}

/**
 * Decodes bytes in the encoding of the configuration; base58 by default.
 *
 * @throws JsonRpcError -32602 if they are invalid.
 */
export function readBytes(value: unknown, config: unknown): Uint8Array {
  const encoder = readRecord(config)['encoding'] === 'base64' ? getBase64Encoder() : getBase58Encoder()
  try {
    if (typeof value === 'string') return new Uint8Array(encoder.encode(value))
  } catch {
    // Refused below, like values that are not strings.
  }
  throw new JsonRpcError(-32_602, 'Invalid param: the bytes cannot be decoded')
}
