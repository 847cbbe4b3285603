import { transferKinds, type Hex } from '../../indexer/block.ts'
import type { IndexedChains } from '../../indexer/indexedChains.ts'
import type { Chain, Token } from '../../kit/chain/chains.ts'
import type { Database } from '../../kit/database/database.ts'
import type { TokenFacts, TokenFactsReader } from '../tokens/tokenFacts.ts'

/** Finds the tokens that an address may hold, in addition to the listed ones. */
export type HeldTokens = (chain: Chain, address: string, also: readonly string[]) => Promise<readonly Token[]>

/** The most tokens whose balances are read. */
const maxTokens = 2_000
/** The most received tokens whose metadata is examined for spam. */
const maxCandidates = 4_000
const candidatesPerRequest = 400

/** Tokens of transactions that the account signed come first, then the oldest, because spam is sent by strangers and keeps coming. */
const selectCandidates = `
  select '0x' || encode(token, 'hex') as token from index_holding
  where address = $1 and chain = $2 and kind = ${transferKinds.erc20}
  order by signed desc, block, token limit ${maxCandidates}`

/** The statement whose plan a test reads: address, chain. */
export function getTokenCandidatesStatement(): { text: string; limit: number } {
  return { text: selectCandidates, limit: maxCandidates }
}

/** Creates the finder on our own index. It leaves out tokens that look like spam. */
export function createHeldTokens(database: Database, indexed: IndexedChains, facts: TokenFactsReader): HeldTokens {
  return async ({ caipNetworkId, tokens: listed }, address, also) => {
    const chain = indexed.byCaip(caipNetworkId)
    if (chain === undefined) return []
    const known = new Set(listed.map((token) => token.address.toLowerCase()))
    const requested = also.map((token) => token.toLowerCase() as Hex).filter((token) => !known.has(token))
    const values = [`\\x${address.slice(2).toLowerCase()}`, chain.chain]
    const rows = await database.run<{ token: Hex }>('held-tokens', selectCandidates, values)
    const candidates = rows.map(({ token }) => token).filter((token) => !known.has(token) && !requested.includes(token))
    const found = toTokens(await facts.of(chain, requested), { allowsSpam: true })
    // Metadata is read in parts, so that an account without spam costs no more than its tokens.
    for (let start = 0; start < candidates.length && found.length < maxTokens; start += candidatesPerRequest) {
      const some = candidates.slice(start, start + candidatesPerRequest)
      found.push(...toTokens(await facts.of(chain, some), { allowsSpam: false }))
    }
    return found.slice(0, maxTokens)
  }
}

function toTokens(facts: ReadonlyMap<Hex, TokenFacts>, { allowsSpam }: { allowsSpam: boolean }): Token[] {
  return [...facts].flatMap(([token, { name, symbol, decimals, iconUrl, spam }]): Token[] => {
    const called = symbol ?? name
    if ((spam && !allowsSpam) || called === null || decimals === undefined) return []
    return [{ address: token, name: name ?? called, symbol: called, decimals, iconUrl }]
  })
}
