import { parseChainId, type TokenBalance } from '@latchkey/protocol'
import { createChainRpc } from '../../kit/chain/chainRpc.ts'
import { formatBaseUnits } from '../../kit/chain/formatBaseUnits.ts'
import type { EndpointPools } from '../../kit/chain/endpointPools.ts'
import type { BalanceSource } from '../balances/balanceSource.ts'
import { toAmount } from '../http/toAmount.ts'
import { getField } from '../../kit/runtime/getField.ts'

/** The programs that own token accounts: SPL Token and Token-2022. */
export const tokenPrograms = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
] as const

type TokenAccount = { mint: string; amount: bigint; decimals: number }

/** Creates the balance source of Solana: the native currency, and the token accounts of both token programs. */
export function createSolanaBalances(pools: EndpointPools): BalanceSource {
  return {
    covers: ({ caipNetworkId }) => parseChainId(caipNetworkId).namespace === 'solana',
    async balances(chain, address) {
      const rpc = createChainRpc(pools.get(chain))
      const options = { encoding: 'jsonParsed', commitment: 'confirmed' }
      const [native, ...programs] = await rpc.batch([
        ['getBalance', [address, { commitment: 'confirmed' }]],
        ...tokenPrograms.map((programId) => ['getTokenAccountsByOwner', [address, { programId }, options]] as const),
      ])
      const lamports = toAmount(getField(native, 'value'))
      if (lamports === undefined) throw new Error('The node did not return the native balance.')
      const { nativeCurrency, caipNetworkId, tokens } = chain
      const balanceOf = (
        about: Omit<TokenBalance, 'chainId' | 'price' | 'quantity'>,
        amount: bigint,
        decimals: number,
      ) => ({
        ...about,
        chainId: caipNetworkId,
        price: 0,
        quantity: { decimals: String(decimals), numeric: formatBaseUnits(amount, decimals) },
      })
      const held = sumByMint(programs.flatMap(parseTokenAccounts))
      return [
        balanceOf({ ...pickNames(nativeCurrency), iconUrl: '' }, lamports, nativeCurrency.decimals),
        ...held.map(({ mint, amount, decimals }) => {
          const listed = tokens.find((token) => token.address === mint)
          // A mint has no name. Unlisted tokens are named by their address.
          const about = listed === undefined ? { name: mint, symbol: `${mint.slice(0, 4)}…` } : pickNames(listed)
          return balanceOf(
            { ...about, address: `${caipNetworkId}:${mint}`, iconUrl: listed?.iconUrl ?? '' },
            amount,
            decimals,
          )
        }),
      ]
    },
  }
}

function pickNames({ name, symbol }: { name: string; symbol: string }): { name: string; symbol: string } {
  return { name, symbol }
}

function parseTokenAccounts(response: unknown): readonly TokenAccount[] {
  const accounts = getField(response, 'value')
  return (Array.isArray(accounts) ? accounts : []).flatMap((each: unknown): TokenAccount[] => {
    const info = getField(each, 'account', 'data', 'parsed', 'info', 'tokenAmount')
    const mint = getField(each, 'account', 'data', 'parsed', 'info', 'mint')
    const amount = toAmount(getField(info, 'amount'))
    const decimals = toAmount(getField(info, 'decimals'))
    if (typeof mint !== 'string' || amount === undefined || amount === 0n || decimals === undefined) return []
    return [{ mint, amount, decimals: Number(decimals) }]
  })
}

/** An owner can have several accounts of one mint. */
function sumByMint(accounts: readonly TokenAccount[]): readonly TokenAccount[] {
  const sums = new Map<string, TokenAccount>()
  for (const each of accounts) {
    const known = sums.get(each.mint)
    sums.set(each.mint, known === undefined ? each : { ...known, amount: known.amount + each.amount })
  }
  return [...sums.values()]
}
