import { isRecord, parseJson, type UnknownRecord } from '../parse.ts'
import type { Session } from '../session.ts'

/** The method that asks what a wallet can do besides the plain methods (EIP-5792). */
export const capabilityMethod = 'wallet_getCapabilities'

/**
 * What a wallet told of its capabilities when it settled the session: the session property `capabilities`, JSON that
 * holds EIP-5792 answers by address.
 *
 * @param params those of `wallet_getCapabilities`: an address, and the chains to tell of (hex), all by default
 * @returns the answer, by chain; nothing when the wallet did not tell, so that it has to be asked.
 */
export function settledCapabilities({ sessionProperties }: Session, params: unknown): UnknownRecord | undefined {
  const told = parseJson(sessionProperties?.capabilities ?? '')
  const [address, chains] = Array.isArray(params) ? params : []
  if (!isRecord(told) || typeof address !== 'string') return undefined
  const known = valueOf(told, address)
  if (!isRecord(known) || !Array.isArray(chains)) return isRecord(known) ? known : undefined
  const asked = chains.map((chain) => [String(chain), valueOf(known, String(chain))] as const)
  return Object.fromEntries(asked.filter(([, capabilities]) => capabilities !== undefined))
}

/** The value under a key of hex, of which wallets write the letters in either case. */
function valueOf(record: UnknownRecord, key: string): unknown {
  return Object.entries(record).find(([name]) => name.toLowerCase() === key.toLowerCase())?.[1]
}
