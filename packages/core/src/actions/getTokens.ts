import { LatchkeyError, parseAccountId, type TokenBalance } from '@latchkey/protocol'
import { ask, serverUrl } from '../api/ask.ts'
import type { Latchkey } from '../latchkey.ts'
import { requireConnected } from '../state/wallet.ts'
import type { ReadOptions } from './getBalance.ts'

const cacheMilliseconds = 30_000

/**
 * What the connected account holds on the network it is on, as the server's data service tells.
 *
 * @returns an empty list when no server is configured
 * @throws LatchkeyError `connection/not-connected`, `http/status`, `http/unreachable`, `wallet/invalid-answer`.
 * @example const tokens = await getTokens(latchkey)
 */
export async function getTokens(
  latchkey: Latchkey,
  { fresh = false }: ReadOptions = {},
): Promise<readonly TokenBalance[]> {
  const { state, network } = requireConnected(latchkey)
  if (latchkey.settings.server === undefined) return []
  const { address } = parseAccountId(state.account)
  const key = `portfolio/${network.caipNetworkId}/${address}`
  const kept = fresh ? undefined : latchkey.memory.cached(key, cacheMilliseconds)
  if (kept !== undefined) return readBalances(JSON.parse(kept))
  const query = { currency: 'usd', chainId: network.caipNetworkId }
  const answer = await ask(latchkey, serverUrl(latchkey, `/v1/account/${encodeURIComponent(address)}/balance`, query))
  const tokens = readBalances(answer)
  latchkey.memory.setCached(key, JSON.stringify({ balances: tokens }))
  return tokens
}

/** Entries that are no balances are left out; tokens without decimals are not shown by the specification. */
function readBalances(answer: unknown): readonly TokenBalance[] {
  const balances = isRecord(answer) ? answer['balances'] : undefined
  if (!Array.isArray(balances)) throw new LatchkeyError('http/invalid-answer', { what: 'balances' })
  return balances.filter(isTokenBalance).filter((token) => token.quantity.decimals !== '0')
}

function isTokenBalance(value: unknown): value is TokenBalance {
  if (!isRecord(value) || !isRecord(value['quantity'])) return false
  const { name, symbol, chainId, quantity } = value
  return (
    [name, symbol, chainId].every((text) => typeof text === 'string') &&
    /^\d+$/.test(String(quantity['decimals'])) &&
    /^\d+(\.\d+)?$/.test(String(quantity['numeric']))
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
