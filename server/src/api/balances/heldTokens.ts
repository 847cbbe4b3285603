import { transferKinds, type Hex } from '../../indexer/block.ts'
import type { IndexedChains } from '../../indexer/indexedChains.ts'
import type { Chain, Token } from '../../kit/chain/chains.ts'
import type { Database } from '../../kit/database/database.ts'
import type { TokenFactsReader } from '../tokens/tokenFacts.ts'

/** Finds the tokens that an address may hold, besides the listed ones. */
export type HeldTokens = (chain: Chain, address: string, also: readonly string[]) => Promise<readonly Token[]>

/** Addresses that received more tokens are targets of spam. */
const limit = 400

/** Creates the finder on our own index. It leaves out tokens that look like spam. */
export function createHeldTokens(database: Database, indexed: IndexedChains, facts: TokenFactsReader): HeldTokens {
  return async ({ caipNetworkId, tokens: listed }, address, also) => {
    const chain = indexed.byCaip(caipNetworkId)
    if (chain === undefined) return []
    const rows = await database.run<{ token: Hex }>(
      'held-tokens',
      `select '0x' || encode(token, 'hex') as token from index_holding
       where address = $1 and chain = $2 and kind = $3 order by token limit ${limit}`,
      [`\\x${address.slice(2).toLowerCase()}`, chain.chain, transferKinds.erc20],
    )
    const known = new Set(listed.map((token) => token.address.toLowerCase()))
    const asked = also.map((token) => token.toLowerCase() as Hex)
    const others = [...rows.map(({ token }) => token), ...asked].filter((token) => !known.has(token))
    const response = await facts.of(chain, others)
    return [...response].flatMap(([token, { name, symbol, decimals, iconUrl, spam }]): Token[] => {
      const called = symbol ?? name
      if ((spam && !asked.includes(token)) || called === null || decimals === undefined) return []
      return [{ address: token, name: name ?? called, symbol: called, decimals, iconUrl }]
    })
  }
}
