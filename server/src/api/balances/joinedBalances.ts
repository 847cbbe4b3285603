import type { TokenBalance } from '@latchkey/protocol'
import type { BalanceSource } from './balanceSource.ts'

/**
 * The chain itself and a provider as one source. Where the own index knows which tokens an address was given, the chain is
 * read, and the provider asked when that fails; elsewhere the provider knows more, and the chain is read when that fails.
 */
export function joinBalances(own: BalanceSource, provider: BalanceSource): BalanceSource {
  return {
    covers: (chain) => own.covers(chain) || provider.covers(chain),
    async balances(chain, address, options) {
      if (!provider.covers(chain)) return own.balances(chain, address, options)
      const fromChain = (): Promise<readonly TokenBalance[]> => own.balances(chain, address, options)
      const fromProvider = (): Promise<readonly TokenBalance[]> => provider.balances(chain, address, options)
      if (chain.index !== undefined) return fromChain().catch(fromProvider)
      if (options?.fresh !== true) return fromProvider().catch(fromChain)
      // What has to be read now is told by the chain alone; the provider knows what else there is.
      const [read, told] = await Promise.all([fromChain(), fromProvider().catch(() => [])])
      const known = new Set(read.map(keyOf))
      return [...read, ...told.filter((each) => !known.has(keyOf(each)))]
    },
  }
}

function keyOf({ address }: TokenBalance): string {
  return address?.toLowerCase() ?? 'native'
}
