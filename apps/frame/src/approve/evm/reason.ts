import { hexToBytes } from '@noble/hashes/utils.js'
import type { RpcError } from '../../chain/rpcError.ts'
import { isHex, read } from './hex.ts'

const longest = 200

/** Why a call was refused, in the contract's own words where it has some (`Error(string)`, `Panic(uint256)`). */
export function reasonOf({ message, data }: Pick<RpcError, 'message' | 'data'>): string {
  const bytes = isHex(data) ? data : read(data, 'data')
  return readRevert(bytes) ?? oneLine(message.replace(/^execution reverted(?:: )?/i, '')) ?? 'unknown reason'
}

/** Reads the bytes that a call reverted with; undefined for errors that only the contract's own interface could name. */
export function readRevert(data: unknown): string | undefined {
  if (!isHex(data) || data.length % 2 === 1) return undefined
  if (data.startsWith('0x4e487b71') && data.length === 74)
    return `panic 0x${BigInt(`0x${data.slice(10)}`).toString(16)}`
  if (!data.startsWith('0x08c379a0') || data.length < 138) return undefined
  const length = Number(BigInt(`0x${data.slice(74, 138)}`) % 2n ** 32n)
  return oneLine(new TextDecoder().decode(hexToBytes(data.slice(138)).subarray(0, Math.min(length, 1_000))))
}

/** A contract's text is anybody's text: made short, and kept to one line. */
function oneLine(text: string): string | undefined {
  const line = text
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, longest)
  return line === '' ? undefined : line
}
