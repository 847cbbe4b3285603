import { parseChainId, type TokenBalance } from '@latchkey/protocol'
import { decimal } from '../../kit/decimal.ts'
import type { Pools } from '../../kit/pools.ts'
import type { BalanceSource } from './balanceSource.ts'
import type { HeldTokens } from './heldTokens.ts'

/** `balanceOf(address)`, as the ABI writes it. */
const balanceOf = '0x70a08231'

/**
 * Reads balances from the chain itself: one batch of questions per address.
 *
 * @param others tokens to look at beside those that the operator lists
 */
export function createChainBalances(pools: Pools, others: HeldTokens = async () => []): BalanceSource {
  return {
    covers: ({ caipNetworkId }) => parseChainId(caipNetworkId).namespace === 'eip155',
    async balances(chain, address, { also = [] } = {}) {
      const { caipNetworkId, nativeCurrency, tokens: listed } = chain
      const tokens = [...listed, ...(await others(chain, address, also))]
      const data = balanceOf + address.replace(/^0x/, '').toLowerCase().padStart(64, '0')
      const questions = [
        { id: 0, jsonrpc: '2.0', method: 'eth_getBalance', params: [address, 'latest'] },
        ...tokens.map((token, index) => ({
          id: index + 1,
          jsonrpc: '2.0',
          method: 'eth_call',
          params: [{ to: token.address, data }, 'latest'],
        })),
      ]
      const amounts = readAmounts(await pools.of(chain).ask(questions), questions.length)
      const native: TokenBalance = {
        ...describe(nativeCurrency, caipNetworkId, amounts[0] ?? 0n),
        iconUrl: '',
      }
      const held = tokens.flatMap((token, index): TokenBalance[] => {
        const amount = amounts[index + 1] ?? 0n
        if (amount === 0n) return []
        const about = describe(token, caipNetworkId, amount)
        return [{ ...about, address: `${caipNetworkId}:${token.address}`, iconUrl: token.iconUrl ?? '' }]
      })
      return [native, ...held]
    },
  }
}

function describe(
  { name, symbol, decimals }: { name: string; symbol: string; decimals: number },
  chainId: string,
  amount: bigint,
): Omit<TokenBalance, 'iconUrl'> {
  return {
    name,
    symbol,
    chainId,
    price: 0,
    quantity: { decimals: String(decimals), numeric: decimal(amount, decimals) },
  }
}

/** Nodes may answer a batch in any order. A token that reverts is worth nothing here; a native balance must be told. */
function readAmounts(answer: unknown, count: number): readonly bigint[] {
  if (!Array.isArray(answer)) throw new Error('The chain did not answer a batch with a batch.')
  const byId = new Map(answer.map((item: unknown) => [read(item, 'id'), read(item, 'result')]))
  const amounts = Array.from({ length: count }, (_, id) => toAmount(byId.get(id)))
  if (amounts[0] === undefined) throw new Error('The chain did not tell the native balance.')
  return amounts.map((amount) => amount ?? 0n)
}

function toAmount(result: unknown): bigint | undefined {
  return typeof result === 'string' && /^0x[0-9a-f]{1,64}$/i.test(result) ? BigInt(result) : undefined
}

function read(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}
