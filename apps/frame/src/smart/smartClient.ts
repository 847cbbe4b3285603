import { createClient, custom, defineChain, type Chain as ViemChain, type Client, type Transport } from 'viem'
import { chainNumberOf } from '../approve/checkRequest.ts'
import type { Chain } from '../chain/chain.ts'
import type { FrameNetwork } from '../frameConfig.ts'

const ofBundler: readonly string[] = [
  'eth_sendUserOperation',
  'eth_estimateUserOperationGas',
  'eth_getUserOperationReceipt',
  'eth_getUserOperationByHash',
  'eth_supportedEntryPoints',
]

/** Returns the service that handles a method. */
export function sideOf(method: string): 'node' | 'bundler' | 'paymaster' {
  if (method.startsWith('pm_')) return 'paymaster'
  return ofBundler.includes(method) ? 'bundler' : 'node'
}

export type SmartClient = Client<Transport, ViemChain, undefined>

/**
 * Creates the client of the smart account library. Node, bundler and paymaster are reached through the deployment's
 * proxy.
 */
export function createSmartClient(chain: Chain, network: FrameNetwork): SmartClient {
  const { name, nativeCurrency } = network
  return createClient({
    chain: defineChain({ id: chainNumberOf(network), name, nativeCurrency, rpcUrls: { default: { http: [] } } }),
    // No retries: a request without a response may have been accepted.
    transport: custom(
      {
        request: ({ method, params }: { method: string; params?: unknown }) =>
          chain.request(network.chainId, method, Array.isArray(params) ? params : [], { of: sideOf(method) }),
      },
      { retryCount: 0 },
    ),
    cacheTime: 0,
  })
}
