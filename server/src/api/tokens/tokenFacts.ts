import { LRUCache } from 'lru-cache'
import type { ChainRpc } from '../../kit/chain/chainRpc.ts'
import type { Token } from '../../kit/chain/chains.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Database } from '../../kit/database/database.ts'
import type { Hex } from '../../indexer/block.ts'
import type { TableRow } from '../../schema/tableRow.ts'
import { parseAbiText, parseAbiWord } from './abi.ts'
import { isSpam } from './spam.ts'

/** Metadata of a token. */
export type TokenFacts = {
  name: string | null
  symbol: string | null
  /** Undefined if the contract reports none. Amounts are then shown in base units. */
  decimals: number | undefined
  iconUrl: string
  /** True if the operator lists the token. The metadata is then the operator's, not the contract's. */
  listed: boolean
  spam: boolean
}

/** The part of an indexed chain that reading metadata needs. */
export type FactsChain = { chain: number; rpc: ChainRpc; tokens: readonly Token[] }

/** Reads metadata of tokens. */
export type TokenFactsReader = {
  /** Gets the metadata of all requested tokens, by address in lower case. */
  of(chain: FactsChain, tokens: readonly Hex[]): Promise<ReadonlyMap<Hex, TokenFacts>>
}

/** Facts until a time in milliseconds. */
type RememberedFacts = { facts: TokenFacts; until: number }

type TokenRow = Pick<TableRow<'index_token'>, 'name' | 'symbol' | 'decimals'> & { token: Hex }

const tokensPerRequest = 40
/** A contract without metadata is read again after this time, because the node may have failed. */
const retryMs = 3_600_000
const selectors = { name: '0x06fdde03', symbol: '0x95d89b41', decimals: '0x313ce567' } as const
/** More decimals than this would turn every amount into zeros. */
const maxDecimals = 77

const selectTokens = `
  select '0x' || encode(token, 'hex') as token, name, symbol, decimals from index_token
  where chain = $1 and token = any($2::bytea[]) and (coalesce(name, symbol) is not null or read_at > $3)`

const upsertTokens = `
  insert into index_token (chain, token, name, symbol, decimals, read_at)
  select $1, row.*, $6::bigint from unnest($2::bytea[], $3::text[], $4::text[], $5::int[]) as row
  on conflict (chain, token) do update set
    name = excluded.name, symbol = excluded.symbol, decimals = excluded.decimals, read_at = excluded.read_at`

/**
 * Creates the reader of token metadata. Names, symbols and decimals are read from the contracts once and stored in the
 * database. The operator's token list overrides them.
 */
export function createTokenFacts(database: Database, clock: Clock, maxRemembered = 20_000): TokenFactsReader {
  const remembered = new LRUCache<string, RememberedFacts>({ max: maxRemembered })
  const toKey = ({ chain }: FactsChain, token: Hex): string => `${chain}:${token}`

  function remember(chain: FactsChain, row: TokenRow): TokenFacts {
    const facts = toTokenFacts(row, chain.tokens)
    const isKnown = (facts.name ?? facts.symbol) !== null
    remembered.set(toKey(chain, row.token), { facts, until: isKnown ? Infinity : clock.now() + retryMs })
    return facts
  }

  function recall(chain: FactsChain, token: Hex): TokenFacts | undefined {
    const known = remembered.get(toKey(chain, token))
    return known !== undefined && clock.now() < known.until ? known.facts : undefined
  }

  async function load(chain: FactsChain, tokens: readonly Hex[]): Promise<readonly TokenRow[]> {
    const stored = await findTokenRows(database, chain, tokens, clock.now() - retryMs)
    const known = new Set(stored.map(({ token }) => token))
    const unknown = tokens.filter((token) => !known.has(token))
    const fetched: TokenRow[] = []
    for (let start = 0; start < unknown.length; start += tokensPerRequest) {
      fetched.push(...(await fetchTokenRows(chain, unknown.slice(start, start + tokensPerRequest))))
    }
    if (fetched.length > 0) await saveTokenRows(database, chain, fetched, clock.now())
    return [...stored, ...fetched]
  }

  return {
    async of(chain, requested) {
      // The memory may forget a token of this page while the others are loaded.
      const found = new Map([...new Set(requested)].map((token) => [token, recall(chain, token)]))
      const unknown = [...found].flatMap(([token, facts]) => (facts === undefined ? [token] : []))
      const rows = unknown.length === 0 ? [] : await load(chain, unknown)
      for (const row of rows) found.set(row.token, remember(chain, row))
      return new Map(
        [...found].map(([token, facts]) => [
          token,
          facts ?? toTokenFacts({ token, name: null, symbol: null, decimals: null }, chain.tokens),
        ]),
      )
    },
  }
}

function toTokenFacts({ token, name, symbol, decimals }: TokenRow, list: readonly Token[]): TokenFacts {
  const listed = list.find(({ address }) => address.toLowerCase() === token)
  const reported = { name, symbol, decimals: decimals ?? undefined, iconUrl: '', listed: false }
  if (listed === undefined) return { ...reported, spam: isSpam(reported, list) }
  return { ...reported, ...listed, iconUrl: listed.iconUrl ?? '', listed: true, spam: false }
}

function findTokenRows(
  database: Database,
  { chain }: FactsChain,
  tokens: readonly Hex[],
  readAfter: number,
): Promise<readonly TokenRow[]> {
  const values = [chain, tokens.map(toBytea), readAfter]
  return database.run<TokenRow>('token-facts', selectTokens, values)
}

async function saveTokenRows(
  database: Database,
  { chain }: FactsChain,
  rows: readonly TokenRow[],
  now: number,
): Promise<void> {
  await database.run('token-keep', upsertTokens, [
    chain,
    rows.map(({ token }) => toBytea(token)),
    rows.map(({ name }) => name),
    rows.map(({ symbol }) => symbol),
    rows.map(({ decimals }) => decimals),
    now,
  ])
}

/** Reads name, symbol and decimals from the contracts, in one batch. */
async function fetchTokenRows({ rpc }: FactsChain, tokens: readonly Hex[]): Promise<readonly TokenRow[]> {
  const calls = tokens.flatMap((to) =>
    [selectors.name, selectors.symbol, selectors.decimals].map(
      (data) => ['eth_call', [{ to, data }, 'latest']] as const,
    ),
  )
  const results = await rpc.tryBatch(calls)
  return tokens.map((token, index) => {
    const [name, symbol, decimals] = results.slice(3 * index, 3 * index + 3)
    const count = parseAbiWord(decimals)
    return {
      token,
      name: parseAbiText(name) ?? null,
      symbol: parseAbiText(symbol) ?? null,
      decimals: count !== undefined && count <= maxDecimals ? Number(count) : null,
    }
  })
}

function toBytea(hex: Hex): string {
  return `\\x${hex.slice(2)}`
}
