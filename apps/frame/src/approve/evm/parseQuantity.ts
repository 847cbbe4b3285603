import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { rpcErrors } from '../../chain/rpcError.ts'

/** The prefix `0X` is refused: nodes reject it, and comparisons would miss it. */
export function isHex(value: unknown): value is `0x${string}` {
  return typeof value === 'string' && /^0x[\da-fA-F]*$/.test(value)
}

export function isAddress(value: unknown): value is `0x${string}` {
  return typeof value === 'string' && /^0x[\da-fA-F]{40}$/.test(value)
}

/** Decodes a message as pages write it: hexadecimal bytes, or else text. */
export function toMessageBytes(value: string): Uint8Array {
  return isHex(value) && value.length % 2 === 0 ? hexToBytes(value.slice(2)) : utf8ToBytes(value)
}

/**
 * Parses a JSON-RPC quantity of up to 256 bits.
 *
 * @throws RpcError -32602
 */
export function parseQuantity(value: unknown, name: string): bigint | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' && /^0x[\da-f]{1,64}$/i.test(value)) return BigInt(value)
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  throw rpcErrors.invalid(`${name} is not a quantity`)
}

/** Reads a quantity from a node. Returns `undefined` for anything else. */
export function toQuantity(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^0x[\da-f]{1,64}$/i.test(value) ? BigInt(value) : undefined
}

export function formatQuantity(value: bigint): `0x${string}` {
  return `0x${value.toString(16)}`
}
