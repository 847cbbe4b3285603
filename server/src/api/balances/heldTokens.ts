import { kinds, type Hex } from '../../indexer/block.ts'
import type { IndexedChains } from '../../indexer/chains.ts'
import type { Chain, Token } from '../../kit/chains.ts'
import type { Database } from '../../kit/database.ts'
import type { TokenFactsReader } from '../tokens/tokenFacts.ts'

/** Tells which tokens an address may hold, beside those that are listed. */
export type HeldTokens = (chain: Chain, address: string, also: readonly string[]) => Promise<readonly Token[]>

/** An address that was given more kinds than this is a collector of lures. */
const limit = 400

/** Reads from the own index what an address was ever given; what looks like a lure is left out. */
export function createHeldTokens(database: Database, indexed: IndexedChains, facts: TokenFactsReader): HeldTokens {
  return async ({ caipNetworkId, tokens: listed }, address, also) => {
    const chain = indexed.byCaip(caipNetworkId)
    if (chain === undefined) return []
    const rows = await database.run<{ token: Hex }>(
      'held-tokens',
      `select '0x' || encode(token, 'hex') as token from index_holding
       where address = $1 and chain = $2 and kind = $3 order by token limit ${limit}`,
      [`\\x${address.slice(2).toLowerCase()}`, chain.chain, kinds.erc20],
    )
    const known = new Set(listed.map((token) => token.address.toLowerCase()))
    const asked = also.map((token) => token.toLowerCase() as Hex)
    const others = [...rows.map(({ token }) => token), ...asked].filter((token) => !known.has(token))
    const told = await facts.of(chain, others)
    return [...told].flatMap(([token, { name, symbol, decimals, iconUrl, spam }]): Token[] => {
      const called = symbol ?? name
      if ((spam && !asked.includes(token)) || called === null || decimals === undefined) return []
      return [{ address: token, name: name ?? called, symbol: called, decimals, iconUrl }]
    })
  }
}
