import { getChainReference } from '@latchkey/adapter-kit'
import type { ChainId } from '@latchkey/protocol'

/** Formats the number of a chain as hex without leading zeros (EIP-695). */
export function toHexChainId(chainId: ChainId): string {
  return `0x${BigInt(getChainReference(chainId)).toString(16)}`
}

/** Parses the value of `eth_chainId` and `chainChanged`. Some wallets send a number, or a decimal string. */
export function parseEvmChainId(value: unknown): ChainId | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const id = /^(0x[0-9a-f]+|\d+)$/i.test(String(value)) ? Number(value) : Number.NaN
  return Number.isSafeInteger(id) && id > 0 ? `eip155:${id}` : undefined
}
