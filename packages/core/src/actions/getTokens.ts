import { LatchkeyError, parseAccountId, type TokenBalance } from '@latchkey/protocol'
import { ask, serverUrl } from '../api/ask.ts'
import type { Latchkey } from '../latchkey.ts'
import { requireConnected } from '../state/standing.ts'
import type { ReadOptions } from './getBalance.ts'

const cacheMilliseconds = 30_000

/**
 * What the connected account holds on the network it is on, as the server's data service tells.
 *
 * @returns an empty list when no server is configured
 * @throws LatchkeyError `connection/not-connected`, `http/status`, `http/unreachable`, `http/invalid-answer`.
 * @example const tokens = await getTokens(latchkey)
 */
export async function getTokens(
  latchkey: Latchkey,
  { fresh = false, namespace }: ReadOptions = {},
): Promise<readonly TokenBalance[]> {
  const { state, network } = requireConnected(latchkey, namespace)
  if (latchkey.settings.server === undefined) return []
  const { address } = parseAccountId(state.account)
  const key = `portfolio/${network.caipNetworkId}/${address}`
  const kept = fresh ? undefined : latchkey.memory.cached(key, cacheMilliseconds)
  const known = kept === undefined ? undefined : readKept(kept)
  if (known !== undefined) return known
  const query = { currency: 'usd', chainId: network.caipNetworkId }
  const answer = await ask(latchkey, serverUrl(latchkey, `/v1/account/${encodeURIComponent(address)}/balance`, query))
  const tokens = readBalances(answer)
  latchkey.memory.setCached(key, JSON.stringify({ balances: tokens }))
  return tokens
}

/** What is kept may be anything: a page's storage is open to all of its scripts. */
function readKept(text: string): readonly TokenBalance[] | undefined {
  try {
    return readBalances(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Entries that are no balances are left out; tokens without decimals are not shown by the specification. */
function readBalances(answer: unknown): readonly TokenBalance[] {
  const balances = isRecord(answer) ? answer['balances'] : undefined
  if (!Array.isArray(balances)) throw new LatchkeyError('http/invalid-answer', { what: 'balances' })
  return balances.filter(isTokenBalance).filter((token) => token.quantity.decimals !== '0')
}

function isTokenBalance(entry: unknown): entry is TokenBalance {
  if (!isRecord(entry) || !isRecord(entry['quantity'])) return false
  const { name, symbol, chainId, iconUrl, address = '', price, value = 0 } = entry
  const { decimals, numeric } = entry['quantity']
  return (
    [name, symbol, chainId, iconUrl, address, decimals, numeric].every((text) => typeof text === 'string') &&
    [price, value].every((number) => typeof number === 'number') &&
    /^\d{1,3}$/.test(String(decimals)) &&
    /^\d+(\.\d+)?$/.test(String(numeric))
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
