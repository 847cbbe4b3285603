import type { DiscoveryOptions, FoundWallet } from './foundWallet.ts'
import type { PageWallet } from './pageWallet.ts'
import type { broadcastPsbt as broadcast } from '../transfers/broadcastTransaction.ts'

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
      return (await import('./standardWallet.ts')).standardWallet(raw, (...args) => broadcastPsbt(options, ...args))
  }
}

/** Loads btc-signer with the first PSBT that is sent. Most wallets send themselves. */
async function broadcastPsbt(...args: Parameters<typeof broadcast>): Promise<string> {
  return (await import('../transfers/broadcastTransaction.ts')).broadcastPsbt(...args)
}
