import { getField } from '@latchkey/protocol'
import { isEvmAddress } from '../address/isEvmAddress.ts'

/** The identity of a Safe. */
export type SafeInfo = { address: string; chainId: number }

/** Parses a Safe's response about itself. Returns `undefined` if it does not describe a Safe. */
export function parseSafeInfo(data: unknown): SafeInfo | undefined {
  const address = getField(data, 'safeAddress')
  if (typeof address !== 'string' || !address.startsWith('0x') || !isEvmAddress(address)) return undefined
  const chainId = Number(getField(data, 'chainId'))
  return Number.isSafeInteger(chainId) && chainId > 0 ? { address, chainId } : undefined
}
