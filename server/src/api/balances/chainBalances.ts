import { parseChainId, type TokenBalance } from '@latchkey/protocol'
import { formatBaseUnits } from '../../kit/chain/formatBaseUnits.ts'
import type { EndpointPools } from '../../kit/chain/endpointPools.ts'
import { getField } from '../../kit/runtime/getField.ts'
import type { BalanceSource } from './balanceSource.ts'
import type { HeldTokens } from './heldTokens.ts'

/** ABI selector of `balanceOf(address)`. */
const balanceOf = '0x70a08231'

/**
 * Creates a balance source that reads from the chain, with one batch request per address.
 *
 * @param others finds tokens besides those that the operator lists
 */
export function createChainBalances(pools: EndpointPools, others: HeldTokens = async () => []): BalanceSource {
  return {
    covers: ({ caipNetworkId }) => parseChainId(caipNetworkId).namespace === 'eip155',
    async balances(chain, address, { also = [] } = {}) {
      const { caipNetworkId, nativeCurrency, tokens: listed } = chain
      const tokens = [...listed, ...(await others(chain, address, also))]
      const data = balanceOf + address.replace(/^0x/, '').toLowerCase().padStart(64, '0')
      const requests = [
        { id: 0, jsonrpc: '2.0', method: 'eth_getBalance', params: [address, 'latest'] },
        ...tokens.map((token, index) => ({
          id: index + 1,
          jsonrpc: '2.0',
          method: 'eth_call',
          params: [{ to: token.address, data }, 'latest'],
        })),
      ]
      const amounts = parseBatchAmounts(await pools.get(chain).request(requests), requests.length)
      const native: TokenBalance = {
        ...toTokenBalance(nativeCurrency, caipNetworkId, amounts[0] ?? 0n),
        iconUrl: '',
      }
      const held = tokens.flatMap((token, index): TokenBalance[] => {
        const amount = amounts[index + 1] ?? 0n
        if (amount === 0n) return []
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

/** Nodes may answer a batch in any order. A token that reverts counts as zero; the native balance is required. */
function parseBatchAmounts(response: unknown, count: number): readonly bigint[] {
  if (!Array.isArray(response)) throw new Error('The node did not return a batch.')
  const byId = new Map(response.map((item: unknown) => [getField(item, 'id'), getField(item, 'result')]))
  const amounts = Array.from({ length: count }, (_, id) => parseBalance(byId.get(id)))
  if (amounts[0] === undefined) throw new Error('The node did not return the native balance.')
  return amounts.map((amount) => amount ?? 0n)
}

function parseBalance(result: unknown): bigint | undefined {
  return typeof result === 'string' && /^0x[0-9a-f]{1,64}$/i.test(result) ? BigInt(result) : undefined
}
