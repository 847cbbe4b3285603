import type { Balance } from '../adapter.ts'
import type { Latchkey } from '../latchkey.ts'
import { requireConnected } from '../state/standing.ts'
import { parseAccountId, type Namespace } from '@latchkey/protocol'

const cacheMilliseconds = 30_000

export type ReadOptions = {
  /** Do not be content with an answer of the last 30 seconds. */
  fresh?: boolean
  /** Of which chain family; of the active one when left out. */
  namespace?: Namespace
}

/**
 * The native balance of the connected account on the network it is on, from the chain itself.
 *
 * @throws LatchkeyError `connection/not-connected`, `rpc/unreachable`.
 * @example const { value, symbol } = await getBalance(latchkey)
 */
export async function getBalance(latchkey: Latchkey, { fresh = false, namespace }: ReadOptions = {}): Promise<Balance> {
  const { adapter, state, network } = requireConnected(latchkey, namespace)
  const { address } = parseAccountId(state.account)
  const key = `native_balance/${network.caipNetworkId}/${address}`
  const { symbol, decimals } = network.nativeCurrency
  const kept = fresh ? undefined : latchkey.memory.cached(key, cacheMilliseconds)
  if (kept !== undefined && /^\d+$/.test(kept)) return { value: BigInt(kept), decimals, symbol }
  const balance = await adapter.getBalance(network, address)
  latchkey.memory.setCached(key, balance.value.toString())
  return balance
}
