import { hexToBytes } from '@noble/hashes/utils.js'
import type { RpcError } from '../../chain/rpcError.ts'
import { isHex } from './parseQuantity.ts'
import { getMember } from '../../platform/getMember.ts'

const longest = 200

/** Returns the reason of a revert, in the contract's words if it has some (`Error(string)`, `Panic(uint256)`). */
export function revertReason({ message, data }: Pick<RpcError, 'message' | 'data'>): string {
  const bytes = isHex(data) ? data : getMember(data, 'data')
  return parseRevert(bytes) ?? toOneLine(message.replace(/^execution reverted(?:: )?/i, '')) ?? 'unknown reason'
}

/** Parses revert data. Returns `undefined` for custom errors, which need the contract's ABI. */
export function parseRevert(data: unknown): string | undefined {
  if (!isHex(data) || data.length % 2 === 1) return undefined
  if (data.startsWith('0x4e487b71') && data.length === 74)
    return `panic 0x${BigInt(`0x${data.slice(10)}`).toString(16)}`
  if (!data.startsWith('0x08c379a0') || data.length < 138) return undefined
  const length = Number(BigInt(`0x${data.slice(74, 138)}`) % 2n ** 32n)
  return toOneLine(new TextDecoder().decode(hexToBytes(data.slice(138)).subarray(0, Math.min(length, 1_000))))
}

/** A contract's text is untrusted: shortened, and kept on one line. */
function toOneLine(text: string): string | undefined {
  const line = text
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, longest)
  return line === '' ? undefined : line
}
