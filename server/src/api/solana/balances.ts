import { parseChainId, type TokenBalance } from '@latchkey/protocol'
import { createChainRpc } from '../../kit/chainRpc.ts'
import { decimal } from '../../kit/decimal.ts'
import type { Pools } from '../../kit/pools.ts'
import type { BalanceSource } from '../balances/balanceSource.ts'
import { field, readCount } from './read.ts'

/** The two programs that keep token accounts: SPL Token and Token-2022. */
const tokenPrograms = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
] as const

type Held = { mint: string; amount: bigint; decimals: number }

/** Reads balances of Solana from a node: the native currency, and the token accounts of both token programs. */
export function createSolanaBalances(pools: Pools): BalanceSource {
  return {
    covers: ({ caipNetworkId }) => parseChainId(caipNetworkId).namespace === 'solana',
    async balances(chain, address) {
      const rpc = createChainRpc(pools.of(chain))
      const options = { encoding: 'jsonParsed', commitment: 'confirmed' }
      const [native, ...programs] = await rpc.ask([
        ['getBalance', [address, { commitment: 'confirmed' }]],
        ...tokenPrograms.map((programId) => ['getTokenAccountsByOwner', [address, { programId }, options]] as const),
      ])
      const lamports = readCount(field(native, 'value'))
      if (lamports === undefined) throw new Error('The chain did not tell the native balance.')
      const { nativeCurrency, caipNetworkId, tokens } = chain
      const balanceOf = (
        about: Omit<TokenBalance, 'chainId' | 'price' | 'quantity'>,
        amount: bigint,
        decimals: number,
      ) => ({
        ...about,
        chainId: caipNetworkId,
        price: 0,
        quantity: { decimals: String(decimals), numeric: decimal(amount, decimals) },
      })
      const held = sumUp(programs.flatMap(readAccounts))
      return [
        balanceOf({ ...named(nativeCurrency), iconUrl: '' }, lamports, nativeCurrency.decimals),
        ...held.map(({ mint, amount, decimals }) => {
          const listed = tokens.find((token) => token.address === mint)
          // A mint has no name of its own: who is not listed is told by its address.
          const about = listed === undefined ? { name: mint, symbol: `${mint.slice(0, 4)}…` } : named(listed)
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

function named({ name, symbol }: { name: string; symbol: string }): { name: string; symbol: string } {
  return { name, symbol }
}

function readAccounts(told: unknown): readonly Held[] {
  const accounts = field(told, 'value')
  return (Array.isArray(accounts) ? accounts : []).flatMap((each: unknown): Held[] => {
    const info = field(field(field(field(field(each, 'account'), 'data'), 'parsed'), 'info'), 'tokenAmount')
    const mint = field(field(field(field(field(each, 'account'), 'data'), 'parsed'), 'info'), 'mint')
    const amount = readCount(field(info, 'amount'))
    const decimals = readCount(field(info, 'decimals'))
    if (typeof mint !== 'string' || amount === undefined || amount === 0n || decimals === undefined) return []
    return [{ mint, amount, decimals: Number(decimals) }]
  })
}

/** One owner may have several accounts of one mint. */
function sumUp(accounts: readonly Held[]): readonly Held[] {
  const sums = new Map<string, Held>()
  for (const each of accounts) {
    const known = sums.get(each.mint)
    sums.set(each.mint, known === undefined ? each : { ...known, amount: known.amount + each.amount })
  }
  return [...sums.values()]
}
