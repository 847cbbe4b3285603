import { findNetwork } from '@latchkey/adapter-kit'
import type { DiscoveryOptions, FoundWallet } from './foundWallet.ts'
import type { PageWallet } from './pageWallet.ts'
import type { BroadcastPsbt } from './standardWallet.ts'

/** Wraps a wallet of the page according to its API. Only the code for that API is loaded. */
export async function loadPageWallet({ kind, raw }: FoundWallet, options: DiscoveryOptions): Promise<PageWallet> {
  switch (kind) {
    case 'sats':
      return (await import('./satsWallet.ts')).satsWallet(raw)
    case 'leather':
      return (await import('./leatherWallet.ts')).leatherWallet(raw)
    case 'unisat':
      return (await import('./unisatWallet.ts')).unisatWallet(raw)
    case 'standard':
      return (await import('./standardWallet.ts')).standardWallet(raw, createLazyBroadcast(options))
  }
}

/** Loads btc-signer with the first PSBT that is sent. Most wallets send themselves. */
function createLazyBroadcast({ networks, clock }: DiscoveryOptions): BroadcastPsbt {
  return async (chainId, psbt) => {
    const { broadcastPsbt } = await import('../transfers/broadcastTransaction.ts')
    return broadcastPsbt(findNetwork(networks, chainId), psbt, clock)
  }
}
