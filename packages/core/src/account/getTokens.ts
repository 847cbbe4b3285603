import { parseAccountId, type AccountId, type TokenBalance, httpError, isRecord } from '@latchkey/protocol'
import { getWalletTokens } from './getWalletTokens.ts'
import { fetchJson, serverUrl } from '../api/fetchJson.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import { getActiveConnection, type ActiveConnection } from '../state/connectedWallets.ts'
import type { ReadOptions } from './getBalance.ts'
import { getCached, setCached } from '../storage/getCached.ts'

const cacheMilliseconds = 30_000

export type TokenOptions = ReadOptions & {
  /** Tokens whose balance changed (CAIP-10). The server reads them from the chain again. */
  forceUpdate?: readonly AccountId[]
}

/**
 * Returns the tokens of the connected account on its network, most valuable first: from the wallet itself if it
 * supports EIP-7811, else from the server.
 *
 * @returns an empty list if the wallet reports none and no server is configured, or the server has none for the namespace
 * @throws LatchkeyError `connection/not-connected`, `http/status`, `http/unreachable`, `http/invalid-response`.
 * @example const tokens = await getTokens(latchkey)
 */
export async function getTokens(
  latchkey: Latchkey,
  { fresh = false, namespace, forceUpdate }: TokenOptions = {},
): Promise<readonly TokenBalance[]> {
  const live = getActiveConnection(latchkey, namespace)
  const { state, network } = live
  const { address } = parseAccountId(state.account)
  const key = `portfolio/${network.caipNetworkId}/${address}`
  const cached = fresh || forceUpdate !== undefined ? undefined : getCached(latchkey.internal, key, cacheMilliseconds)
  const known = cached === undefined ? undefined : parseCached(cached)
  if (known !== undefined) return known
  const tokens = sortByValue(
    (await getWalletTokens(latchkey, live)) ??
      (hasServedTokens(live) ? await fetchTokens(latchkey, address, network.caipNetworkId, forceUpdate) : []),
  )
  setCached(latchkey.internal, key, JSON.stringify({ balances: tokens }))
  return tokens
}

/** True if the server knows the tokens of a network. It rejects requests for the other namespaces. */
function hasServedTokens({ adapter, network }: ActiveConnection): boolean {
  return adapter.features?.(network).includes('balances') === true
}

async function fetchTokens(
  latchkey: Pick<Latchkey, 'events' | 'internal'>,
  address: string,
  chainId: string,
  forceUpdate: readonly AccountId[] | undefined,
): Promise<readonly TokenBalance[]> {
  if (latchkey.internal.settings.server === undefined) return []
  const query = { currency: 'usd', chainId, forceUpdate: forceUpdate?.join(',') }
  return parseBalances(
    await fetchJson(latchkey, serverUrl(latchkey, `/v1/account/${encodeURIComponent(address)}/balance`, query)),
  )
}

/** Sorts by value. Tokens without a price keep their order at the end. */
function sortByValue(tokens: readonly TokenBalance[]): readonly TokenBalance[] {
  return tokens.toSorted((one, other) => (other.value ?? -1) - (one.value ?? -1))
}

/** Stored values may be anything: every script of the page can write to its storage. */
function parseCached(text: string): readonly TokenBalance[] | undefined {
  try {
    return parseBalances(JSON.parse(text))
  } catch {
    return undefined
  }
}

/**
 * Parses a balance. Returns undefined for invalid entries and for tokens without decimals, which the specification
 * hides.
 */
function parseBalances(response: unknown): readonly TokenBalance[] {
  const balances = isRecord(response) ? response['balances'] : undefined
  if (!Array.isArray(balances)) throw httpError('http/invalid-response', { subject: 'balances' })
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
