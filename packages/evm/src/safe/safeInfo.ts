import { isAddress } from '../address.ts'

/** Which Safe it is. */
export type SafeInfo = { address: string; chainId: number }

/** Reads what a Safe says of itself; undefined when it is no Safe. */
export function readSafeInfo(data: unknown): SafeInfo | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const { safeAddress, chainId } = data as Readonly<Record<string, unknown>>
  if (typeof safeAddress !== 'string' || !safeAddress.startsWith('0x') || !isAddress(safeAddress)) return undefined
  const id = Number(chainId)
  return Number.isSafeInteger(id) && id > 0 ? { address: safeAddress, chainId: id } : undefined
}
