import { isUnknownRecord, tryParseJson, type UnknownRecord } from '../primitives/unknownRecord.ts'
import type { Session } from '../session/session.ts'

/** The method that returns the capabilities of a wallet (EIP-5792). */
export const capabilityMethod = 'wallet_getCapabilities'

/**
 * Returns the capabilities that a wallet settled with the session: the session property `capabilities`, JSON with EIP-5792
 * responses by address.
 *
 * @param params those of `wallet_getCapabilities`: an address, and chains as hex (all by default)
 * @returns the capabilities by chain, or `undefined` if the wallet must be asked
 */
export function getSettledCapabilities({ sessionProperties }: Session, params: unknown): UnknownRecord | undefined {
  const settled = tryParseJson(sessionProperties?.capabilities ?? '')
  const [address, chains] = Array.isArray(params) ? params : []
  if (!isUnknownRecord(settled) || typeof address !== 'string') return undefined
  const known = findValueByHexKey(settled, address)
  if (!isUnknownRecord(known) || !Array.isArray(chains)) return isUnknownRecord(known) ? known : undefined
  const requested = chains.map((chain) => [String(chain), findValueByHexKey(known, String(chain))] as const)
  return Object.fromEntries(requested.filter(([, capabilities]) => capabilities !== undefined))
}

/** Finds the value of a hex key. Wallets differ in the case of hex. */
function findValueByHexKey(record: UnknownRecord, key: string): unknown {
  return Object.entries(record).find(([name]) => name.toLowerCase() === key.toLowerCase())?.[1]
}
