import type { Adapter } from '@latchkey/core'
import type { CaipNetwork } from '../../network/appKitNetwork.ts'
import type { AdapterOptions, AppKitAdapter } from '../appKitAdapter.ts'
import { createEvmAdapter } from '../createEvmAdapter.ts'

/**
 * The adapter for EVM networks of apps that use ethers 5. Pass the wallet's provider to `providers.Web3Provider`.
 *
 * @example const adapter = new Ethers5Adapter()
 */
export class Ethers5Adapter implements AppKitAdapter {
  readonly namespace = 'eip155'
  createAdapter(networks: readonly [CaipNetwork, ...CaipNetwork[]], options: AdapterOptions): Adapter {
    return createEvmAdapter(networks, options)
  }
}
