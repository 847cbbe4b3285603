import type { Finality } from '@latchkey/core/money'
import { getField, networkError, type Network } from '@latchkey/protocol'
import { isHash } from 'viem'
import { getEvmClient, type EvmClients } from '../chain/evmClients.ts'
import { translateHash } from '../chain/waitForEvmReceipt.ts'
import { getBlockNumber } from './findSentTransaction.ts'
import { parseQuantity } from './transactionPlan.ts'

/** The number of later blocks that make a block final, on chains whose nodes don't report finality. */
const finalDepth = 64n

/**
 * Looks up a mined transaction again, to detect a reorg.
 *
 * @throws LatchkeyError `rpc/unreachable`
 */
export async function getEvmFinality(clients: EvmClients, network: Network, hash: string): Promise<Finality> {
  const client = getEvmClient(clients, network)
  const chainHash = await translateHash(clients, hash)
  // No chain has a hash of another form.
  if (!isHash(chainHash)) return 'final'
  try {
    const receipt: unknown = await client.request({ method: 'eth_getTransactionReceipt', params: [chainHash] })
    const block = parseQuantity(getField(receipt, 'blockNumber'))
    if (block === undefined) return 'missing'
    const [latest, finalized] = await Promise.all([
      getBlockNumber(client),
      client.request({ method: 'eth_getBlockByNumber', params: ['finalized', false] }).catch(() => undefined),
    ])
    const final = parseQuantity(getField(finalized, 'number'))
    const isDeep = latest !== undefined && latest - block >= finalDepth
    return isDeep || (final !== undefined && final >= block) ? 'final' : 'mined'
  } catch (cause) {
    throw networkError('rpc/unreachable', { network: network.name }, { cause })
  }
}
