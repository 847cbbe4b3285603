import type { Connection } from '@latchkey/core'
import { isRecord, isLatchkeyError, parseAccountId, type AccountId, type ChainId } from '@latchkey/protocol'
import { parseEvmChainId } from '../chain/evmChainId.ts'
import { requestWallet, invalidCallResponse } from './requestWallet.ts'

/** The capabilities of a wallet by chain. Those of `eip155:0` apply to all chains, and are repeated for each. */
export type WalletCapabilities = Readonly<Record<ChainId, Readonly<Record<string, unknown>>>>

/** Requests the capabilities of a wallet (`wallet_getCapabilities`, EIP-5792). Empty if the wallet does not report them. */
export async function getCapabilities(connection: Connection, account: AccountId): Promise<WalletCapabilities> {
  const method = 'wallet_getCapabilities'
  const { address } = parseAccountId(account)
  const response = await requestWallet(connection, method, [address]).catch((error: unknown) => {
    if (isLatchkeyError(error, 'request/not-allowed')) return {}
    throw error
  })
  if (!isRecord(response)) throw invalidCallResponse(connection, method)
  const everywhere = response['0x0'] ?? {}
  if (!isRecord(everywhere)) throw invalidCallResponse(connection, method)
  const capabilities: Record<ChainId, Readonly<Record<string, unknown>>> = {}
  for (const [chain, can] of Object.entries(response)) {
    const chainId = chain === '0x0' ? 'eip155:0' : parseEvmChainId(chain)
    if (chainId === undefined || !isRecord(can)) throw invalidCallResponse(connection, method)
    capabilities[chainId] = { ...everywhere, ...can }
  }
  return capabilities
}

/** Returns the capabilities on one chain. */
export function getChainCapabilities(
  capabilities: WalletCapabilities,
  chainId: ChainId,
): Readonly<Record<string, unknown>> {
  return capabilities[chainId] ?? capabilities['eip155:0'] ?? {}
}
