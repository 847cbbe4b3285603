import type { Adapter, Connection as WalletConnection, Latchkey } from '@latchkey/core'
import { solana } from '@latchkey/solana'
import { toNetwork, type CaipNetwork } from '../../network/appKitNetwork.ts'
import type { AppKitAdapter } from '../appKitAdapter.ts'
import { createSolanaProvider, type SolanaProvider } from './createSolanaProvider.ts'

export type SolanaAdapterOptions = {
  /** The commitment of the connection that `useAppKitConnection` returns. */
  connectionSettings?: 'processed' | 'confirmed' | 'finalized'
  /** Has no effect: wallets register themselves in the page. */
  wallets?: readonly unknown[]
  /** Has no effect: Latchkey's wallet is not registered in the page. */
  registerWalletStandard?: boolean
}

/**
 * The adapter for Solana of apps that use `@solana/web3.js`.
 *
 * @example const adapter = new SolanaAdapter()
 */
export class SolanaAdapter implements AppKitAdapter {
  readonly namespace = 'solana'
  /** The commitment of the connection that apps receive. */
  readonly commitment: 'processed' | 'confirmed' | 'finalized'

  constructor({ connectionSettings = 'confirmed' }: SolanaAdapterOptions = {}) {
    this.commitment = connectionSettings
  }

  createAdapter([first, ...others]: readonly [CaipNetwork, ...CaipNetwork[]]): Adapter {
    return solana({ networks: [toNetwork(first), ...others.map(toNetwork)] })
  }

  createProvider(connected: { latchkey: Latchkey; connection: WalletConnection }): SolanaProvider {
    return createSolanaProvider(connected)
  }
}
