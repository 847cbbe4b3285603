import { createClient, custom, defineChain, type Chain as ViemChain, type Client, type Transport } from 'viem'
import { numberOf } from '../approve/asked.ts'
import type { Chain } from '../chain/chain.ts'
import type { FrameNetwork } from '../config.ts'

const ofBundler: readonly string[] = [
  'eth_sendUserOperation',
  'eth_estimateUserOperationGas',
  'eth_getUserOperationReceipt',
  'eth_getUserOperationByHash',
  'eth_supportedEntryPoints',
]

/** Who answers a method. */
export function sideOf(method: string): 'node' | 'bundler' | 'paymaster' {
  if (method.startsWith('pm_')) return 'paymaster'
  return ofBundler.includes(method) ? 'bundler' : 'node'
}

export type SmartClient = Client<Transport, ViemChain, undefined>

/** A network as the library of smart accounts asks it: node, bundler and paymaster by the deployment's one proxy. */
export function createSmartClient(chain: Chain, network: FrameNetwork): SmartClient {
  const { name, nativeCurrency } = network
  return createClient({
    chain: defineChain({ id: numberOf(network), name, nativeCurrency, rpcUrls: { default: { http: [] } } }),
    // Nothing is asked twice: what was sent and not answered may have been taken.
    transport: custom(
      {
        request: ({ method, params }: { method: string; params?: unknown }) =>
          chain.ask(network.chainId, method, Array.isArray(params) ? params : [], { of: sideOf(method) }),
      },
      { retryCount: 0 },
    ),
    cacheTime: 0,
  })
}
