import type { TokenBalance } from '@latchkey/protocol'

/** The most balances of one chain in a response. */
export const maxBalances = 400

/**
 * Sorts the balances of a chain: the native currency first, then by value. Balances without a known price follow in their
 * order, in which a source puts verified and older tokens first. Only then is the list cut, so that worthless tokens
 * can't displace others.
 *
 * @param required ids of tokens that are never cut
 */
export function rankBalances(
  balances: readonly TokenBalance[],
  required: ReadonlySet<string> = new Set(),
): readonly TokenBalance[] {
  const ranked = balances.toSorted((a, b) => toRank(b) - toRank(a))
  const isRequired = ({ address }: TokenBalance): boolean =>
    address !== undefined && required.has(address.toLowerCase())
  const cut = ranked.slice(maxBalances).filter(isRequired)
  return [...ranked.slice(0, maxBalances), ...cut]
}

function toRank({ address, value }: TokenBalance): number {
  if (address === undefined) return Number.MAX_VALUE
  return value === undefined || !Number.isFinite(value) ? -1 : Math.min(value, Number.MAX_SAFE_INTEGER)
}
