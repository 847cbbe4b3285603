import { LatchkeyError, parseAccountId, type AccountId, type TokenBalance } from '@latchkey/protocol'
import { tokensOfWallet } from '../account/walletTokens.ts'
import { ask, serverUrl } from '../api/ask.ts'
import type { Latchkey } from '../latchkey.ts'
import { requireConnected } from '../state/standing.ts'
import type { ReadOptions } from './getBalance.ts'
import { isRecord } from '../isRecord.ts'

const cacheMilliseconds = 30_000

export type TokenOptions = ReadOptions & {
  /** Tokens that are known to have changed (CAIP-10), so that the server looks at them on the chain. */
  forceUpdate?: readonly AccountId[]
}

/**
 * What the connected account holds on the network it is on, most valuable first: as the wallet itself tells, where it can
 * (EIP-7811), else as the server's data service does.
 *
 * @returns an empty list when nobody can tell: no server is configured
 * @throws LatchkeyError `connection/not-connected`, `http/status`, `http/unreachable`, `http/invalid-answer`.
 * @example const tokens = await getTokens(latchkey)
 */
export async function getTokens(
  latchkey: Latchkey,
  { fresh = false, namespace, forceUpdate }: TokenOptions = {},
): Promise<readonly TokenBalance[]> {
  const live = requireConnected(latchkey, namespace)
  const { state, network } = live
  const { address } = parseAccountId(state.account)
  const key = `portfolio/${network.caipNetworkId}/${address}`
  const kept = fresh || forceUpdate !== undefined ? undefined : latchkey.memory.cached(key, cacheMilliseconds)
  const known = kept === undefined ? undefined : readKept(kept)
  if (known !== undefined) return known
  const tokens = byValue(
    (await tokensOfWallet(latchkey, live)) ?? (await askServer(latchkey, address, network.caipNetworkId, forceUpdate)),
  )
  latchkey.memory.setCached(key, JSON.stringify({ balances: tokens }))
  return tokens
}

async function askServer(
  latchkey: Latchkey,
  address: string,
  chainId: string,
  forceUpdate: readonly AccountId[] | undefined,
): Promise<readonly TokenBalance[]> {
  if (latchkey.settings.server === undefined) return []
  const query = { currency: 'usd', chainId, forceUpdate: forceUpdate?.join(',') }
  return readBalances(
    await ask(latchkey, serverUrl(latchkey, `/v1/account/${encodeURIComponent(address)}/balance`, query)),
  )
}

/** Most valuable first; what nobody knows the worth of keeps its order at the end. */
function byValue(tokens: readonly TokenBalance[]): readonly TokenBalance[] {
  return tokens.toSorted((one, other) => (other.value ?? -1) - (one.value ?? -1))
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
