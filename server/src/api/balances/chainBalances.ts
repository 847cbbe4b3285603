import { parseChainId, type TokenBalance } from '@latchkey/protocol'
import { formatBaseUnits } from '../../kit/chain/formatBaseUnits.ts'
import type { EndpointPools } from '../../kit/chain/endpointPools.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { BalanceSource } from './balanceSource.ts'
import type { HeldTokens } from './heldTokens.ts'
import { createBalancesReader } from './createBalancesReader.ts'

export type ChainBalancesDependencies = {
  pools: EndpointPools
  clock: Clock
  /** Finds tokens in addition to those that the operator lists. */
  others?: HeldTokens
}

/** Creates a balance source that reads from the chain. */
export function createChainBalances({
  pools,
  clock,
  others = async () => [],
}: ChainBalancesDependencies): BalanceSource {
  const readBalances = createBalancesReader(clock)
  return {
    covers: ({ caipNetworkId }) => parseChainId(caipNetworkId).namespace === 'eip155',
    async balances(chain, address, { also = [] } = {}) {
      const { caipNetworkId, nativeCurrency, tokens: listed } = chain
      const forced = new Set(also.map((each) => each.toLowerCase()))
      const isForced = (token: { address: string }): boolean => forced.has(token.address.toLowerCase())
      const known = [...listed, ...(await others(chain, address, also))]
      // Requested tokens come first, because a node may read only some of the others.
      const tokens = [...known.filter(isForced), ...known.filter((token) => !isForced(token))]
      const account = { chain: caipNetworkId, pool: pools.get(chain), address }
      const amounts = await readBalances(
        account,
        tokens.map((token) => token.address),
      )
      const native: TokenBalance = { ...toTokenBalance(nativeCurrency, caipNetworkId, amounts.native), iconUrl: '' }
      const held = tokens.flatMap((token, index): TokenBalance[] => {
        const amount = amounts.tokens[index] ?? 0n
        // A requested token is listed even if the account holds none of it.
        if (amount === 0n && !isForced(token)) return []
        const about = toTokenBalance(token, caipNetworkId, amount)
        return [{ ...about, address: `${caipNetworkId}:${token.address}`, iconUrl: token.iconUrl ?? '' }]
      })
      return [native, ...held]
    },
  }
}

function toTokenBalance(
  { name, symbol, decimals }: { name: string; symbol: string; decimals: number },
  chainId: string,
  amount: bigint,
): Omit<TokenBalance, 'iconUrl'> {
  return {
    name,
    symbol,
    chainId,
    price: 0,
    quantity: { decimals: String(decimals), numeric: formatBaseUnits(amount, decimals) },
  }
}
