import { getField, networkError, type Network } from '@latchkey/protocol'
import { isHash } from 'viem'
import { getEvmClient, type EvmClients } from '../chain/evmClients.ts'
import { translateHash } from '../chain/waitForEvmReceipt.ts'
import { parseQuantity } from './transactionPlan.ts'

/**
 * Reads the network fee that a mined transaction paid, with the L2 data fee that rollups report in the receipt.
 *
 * @throws LatchkeyError `rpc/unreachable`
 */
export async function getEvmPaidFee(clients: EvmClients, network: Network, hash: string): Promise<bigint | undefined> {
  const chainHash = await translateHash(clients, hash)
  if (!isHash(chainHash)) return undefined
  try {
    const receipt: unknown = await getEvmClient(clients, network).request({
      method: 'eth_getTransactionReceipt',
      params: [chainHash],
    })
    const gas = parseQuantity(getField(receipt, 'gasUsed'))
    const price = parseQuantity(getField(receipt, 'effectiveGasPrice'))
    if (gas === undefined || price === undefined) return undefined
    return gas * price + (parseQuantity(getField(receipt, 'l1Fee')) ?? 0n)
  } catch (cause) {
    throw networkError('rpc/unreachable', { network: network.name }, { cause })
  }
}
