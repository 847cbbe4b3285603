import type { TokenBalance } from '@latchkey/protocol'
import type { BalanceSource } from './balanceSource.ts'

/**
 * Joins the chain and a provider to one source. Where our own index knows the tokens of an address, the chain is read
 * first and the provider is the fallback. Elsewhere the provider knows more, and the chain is the fallback.
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
      // Fresh balances come from the chain. The provider only adds further tokens.
      const [read, listed] = await Promise.all([fromChain(), fromProvider().catch(() => [])])
      const known = new Set(read.map(toTokenKey))
      return [...read, ...listed.filter((each) => !known.has(toTokenKey(each)))]
    },
  }
}

function toTokenKey({ address }: TokenBalance): string {
  return address?.toLowerCase() ?? 'native'
}
