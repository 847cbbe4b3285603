import type { Adapter } from '@latchkey/core'
import type { CaipNetwork } from '../../network/appKitNetwork.ts'
import type { AdapterOptions, AppKitAdapter } from '../appKitAdapter.ts'
import { createEvmAdapter } from '../createEvmAdapter.ts'

/**
 * The adapter for EVM networks of apps that use ethers 6. Pass the wallet's provider to `BrowserProvider`.
 *
 * @example const adapter = new EthersAdapter()
 */
export class EthersAdapter implements AppKitAdapter {
  readonly namespace = 'eip155'
  createAdapter(networks: readonly [CaipNetwork, ...CaipNetwork[]], options: AdapterOptions): Adapter {
    return createEvmAdapter(networks, options)
  }
}
