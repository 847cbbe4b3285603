import type { Adapter, Connection, Latchkey } from '@latchkey/core'
import type { Namespace } from '@latchkey/protocol'
import type { CaipNetwork } from '../network/appKitNetwork.ts'

/** The options of the app that adapters need. */
export type AdapterOptions = {
  /** False to ignore wallets that announce themselves (EIP-6963). */
  enableEIP6963?: boolean
  /** False to ignore a wallet at `window.ethereum` that does not announce itself. */
  enableInjected?: boolean
}

/** The adapter of one namespace, as apps create it. */
export type AppKitAdapter = {
  readonly namespace: Namespace
  /** Creates the adapter of Latchkey. Called once, by `createAppKit`. */
  createAdapter(networks: readonly [CaipNetwork, ...CaipNetwork[]], options: AdapterOptions): Adapter
  /** Writes an address as apps expect it from this adapter. Default: as the wallet does. */
  formatAddress?(address: string): string
  /** Follows the instance. Called once, and only in a page. Returns a function that ends it. */
  attach?(appKit: { latchkey: Latchkey }): () => void
  /** Creates the provider that apps receive. Default: the provider of the connection. */
  createProvider?(connected: { latchkey: Latchkey; connection: Connection }): unknown
}
