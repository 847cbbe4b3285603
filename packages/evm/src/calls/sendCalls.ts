import type { Call, Connection } from '@latchkey/core'
import { isRecord, parseAccountId, type AccountId, inputError } from '@latchkey/protocol'
import { numberToHex } from 'viem/utils'
import { parseEvmAddress } from '../address/parseEvmAddress.ts'
import { toHexChainId } from '../chain/evmChainId.ts'
import { requestWallet, invalidCallResponse } from './requestWallet.ts'

type Batch = { calls: readonly Call[]; atomic?: boolean; capabilities?: Readonly<Record<string, unknown>> }

/** The standard limits batch ids to 4,096 bytes in hex. */
const longestId = 8_194

/**
 * Requests a batch of calls with a single approval (`wallet_sendCalls` 2.0.0, EIP-5792). The request names its chain, so a
 * wallet that has switched unnoticed refuses it.
 */
export async function sendCalls(connection: Connection, account: AccountId, batch: Batch): Promise<{ id: string }> {
  const method = 'wallet_sendCalls'
  const { address, chainId } = parseAccountId(account)
  const request = {
    version: '2.0.0',
    from: address,
    chainId: toHexChainId(chainId),
    atomicRequired: batch.atomic ?? false,
    calls: batch.calls.map(formatCall),
    capabilities: batch.capabilities,
  }
  const response = await requestWallet(connection, method, [request])
  // Wallets of the first version return only the id.
  const id = isRecord(response) ? response['id'] : response
  if (typeof id !== 'string' || id === '' || id.length > longestId) throw invalidCallResponse(connection, method)
  return { id }
}

function formatCall({ to, value, data }: Call): object {
  if (value !== undefined && value < 0n) throw inputError('amount/invalid', { value: String(value) })
  return {
    to: to === undefined ? undefined : parseEvmAddress(to),
    value: value === undefined ? undefined : numberToHex(value),
    data,
  }
}
