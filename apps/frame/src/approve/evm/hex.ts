import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { isRecord } from '../../services/ask.ts'
import { refusals } from '../../chain/rpcError.ts'

/** A member of what may be anything. */
export function read(value: unknown, name: string | number): unknown {
  return isRecord(value) || Array.isArray(value) ? Reflect.get(value, name) : undefined
}

export function isHex(value: unknown): value is `0x${string}` {
  return typeof value === 'string' && /^0x[\da-f]*$/i.test(value)
}

export function isAddress(value: unknown): value is `0x${string}` {
  return typeof value === 'string' && /^0x[\da-f]{40}$/i.test(value)
}

/** Bytes as pages write them: hexadecimal, or else a text. */
export function bytesOf(value: string): Uint8Array {
  return isHex(value) && value.length % 2 === 0 ? hexToBytes(value.slice(2)) : utf8ToBytes(value)
}

/**
 * A number of JSON-RPC, up to 256 bits.
 *
 * @throws RpcError -32602
 */
export function readQuantity(value: unknown, name: string): bigint | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' && /^0x[\da-f]{1,64}$/i.test(value)) return BigInt(value)
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  throw refusals.invalid(`${name} is no quantity`)
}

/** A number as a node writes it; undefined for what is none. */
export function quantityOf(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^0x[\da-f]{1,64}$/i.test(value) ? BigInt(value) : undefined
}

export function toHex(value: bigint): `0x${string}` {
  return `0x${value.toString(16)}`
}
