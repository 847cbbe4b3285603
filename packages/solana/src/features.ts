import { read } from './readWallet.ts'

/** The features of a wallet of the Wallet Standard, of which nothing is believed before it was checked. */
export type Features = {
  /** Calls a method of a feature; undefined when the wallet does not have it. */
  find(feature: string, method: string): ((...inputs: readonly unknown[]) => unknown) | undefined
  /** The names of the chains that it says it knows. */
  chains(): readonly string[]
  /** What it shares at the moment. */
  accounts(): unknown
}

export function featuresOf(wallet: object): Features {
  return {
    find(name, method) {
      const feature = attempt(() => read(read(wallet, 'features'), name))
      const call = attempt(() => read(feature, method))
      return typeof call === 'function' ? (...inputs) => Reflect.apply(call, feature, inputs) : undefined
    },
    chains() {
      const chains = attempt(() => read(wallet, 'chains'))
      return Array.isArray(chains) ? chains.filter((chain) => typeof chain === 'string') : []
    },
    accounts: () => read(wallet, 'accounts'),
  }
}

/** What cannot be looked at is not there. */
function attempt(look: () => unknown): unknown {
  try {
    return look()
  } catch {
    return undefined
  }
}
