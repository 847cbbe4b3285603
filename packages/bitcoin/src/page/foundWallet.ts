import type { Clock } from '@latchkey/core'
import type { Network } from '@latchkey/protocol'

/** The API that a wallet of the page has. */
export type WalletKind = 'standard' | 'sats' | 'leather' | 'unisat'

/** A wallet that was found in the page. Its object is untrusted. */
export type FoundWallet = {
  id: string
  name: string
  icon?: string
  kind: WalletKind
  raw: object
  /** Aborts when the wallet unregisters itself. */
  unregistered: AbortSignal
}

/** The networks and the clock for the connectors of the page's wallets. */
export type DiscoveryOptions = { networks: readonly Network[]; clock: Clock | undefined }
