import type { DiscoveryOptions, FoundWallet } from './foundWallet.ts'
import type { PageWallet } from './pageWallet.ts'
import type { PaymentComposer } from './paymentComposer.ts'

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
      return (await import('./standardWallet.ts')).standardWallet(raw, createLazyComposer(options))
  }
}

/** Loads the composer with the first payment. It brings btc-signer, and most wallets compose payments themselves. */
function createLazyComposer({ networks, clock }: DiscoveryOptions): PaymentComposer {
  const load = async (): Promise<PaymentComposer> =>
    (await import('./paymentComposer.ts')).createPaymentComposer(networks, clock)
  return {
    compose: async (...args) => (await load()).compose(...args),
    send: async (...args) => (await load()).send(...args),
  }
}
