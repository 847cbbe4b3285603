import type { Balance } from '../contracts/adapter.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import { getActiveConnection } from '../state/connectedWallets.ts'
import { parseAccountId, type Namespace } from '@latchkey/protocol'
import { getCached, setCached } from '../storage/getCached.ts'

const cacheMilliseconds = 30_000

export type ReadOptions = {
  /** Set to true to skip the 30-second cache. */
  fresh?: boolean
  /** The namespace of the account. Defaults to the active one. */
  namespace?: Namespace
}

/**
 * Returns the native balance of the connected account on its network, read from the chain.
 *
 * @throws LatchkeyError `connection/not-connected`, `rpc/unreachable`.
 * @example const { value, symbol } = await getBalance(latchkey)
 */
export async function getBalance(latchkey: Latchkey, { fresh = false, namespace }: ReadOptions = {}): Promise<Balance> {
  const { adapter, state, network } = getActiveConnection(latchkey, namespace)
  const { address } = parseAccountId(state.account)
  const key = `native_balance/${network.caipNetworkId}/${address}`
  const { symbol, decimals } = network.nativeCurrency
  const cached = fresh ? undefined : getCached(latchkey.internal, key, cacheMilliseconds)
  if (cached !== undefined && /^\d+$/.test(cached)) return { value: BigInt(cached), decimals, symbol }
  const balance = await adapter.getBalance(network, address)
  setCached(latchkey.internal, key, balance.value.toString())
  return balance
}
