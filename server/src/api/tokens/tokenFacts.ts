import type { ChainRpc } from '../../kit/chainRpc.ts'
import type { Token } from '../../kit/chains.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Database } from '../../kit/database.ts'
import type { Hex } from '../../indexer/block.ts'
import { readText, readWord } from './abi.ts'
import { isSuspicious } from './spam.ts'

/** What is known of a token's contract. */
export type TokenFacts = {
  name: string | null
  symbol: string | null
  /** Undefined when the contract does not say: its amounts are then counted in base units. */
  decimals: number | undefined
  iconUrl: string
  /** Listed by the operator: not what a contract says of itself. */
  listed: boolean
  spam: boolean
}

/** A chain as the facts of its tokens are read. */
export type FactsChain = { chain: number; rpc: ChainRpc; tokens: readonly Token[] }

/** Tells what is known of tokens. */
export type TokenFactsReader = {
  /** By the address in lower case; all that were asked for are there. */
  of(chain: FactsChain, tokens: readonly Hex[]): Promise<ReadonlyMap<Hex, TokenFacts>>
}

type Stored = { token: Hex; name: string | null; symbol: string | null; decimals: number | null }

const memoryLimit = 20_000
const perQuestion = 40
/** A contract that said nothing may have been asked at a bad moment. */
const silentMilliseconds = 3_600_000
const selectors = { name: '0x06fdde03', symbol: '0x95d89b41', decimals: '0x313ce567' } as const
/** Nothing reasonable has more; an amount would be all zeros. */
const decimalsLimit = 77

/**
 * Reads names, symbols and decimals from the contracts, once: they are kept in the database. What the operator lists
 * goes before what a contract says.
 */
export function createTokenFacts(database: Database, clock: Clock): TokenFactsReader {
  const memory = new Map<string, TokenFacts>()
  const key = ({ chain }: FactsChain, token: Hex): string => `${chain}:${token}`

  async function readStored({ chain }: FactsChain, tokens: readonly Hex[]): Promise<readonly Stored[]> {
    return database.run<Stored>(
      'token-facts',
      `select '0x' || encode(token, 'hex') as token, name, symbol, decimals from index_token
       where chain = $1 and token = any($2::bytea[]) and (coalesce(name, symbol) is not null or read_at > $3)`,
      [chain, tokens.map((token) => `\\x${token.slice(2)}`), clock.now() - silentMilliseconds],
    )
  }

  async function keep({ chain }: FactsChain, found: readonly Stored[]): Promise<void> {
    await database.run(
      'token-keep',
      `insert into index_token (chain, token, name, symbol, decimals, read_at)
       select $1, row.*, $6::bigint from unnest($2::bytea[], $3::text[], $4::text[], $5::int[]) as row
       on conflict (chain, token) do update set
         name = excluded.name, symbol = excluded.symbol, decimals = excluded.decimals, read_at = excluded.read_at`,
      [
        chain,
        found.map(({ token }) => `\\x${token.slice(2)}`),
        found.map(({ name }) => name),
        found.map(({ symbol }) => symbol),
        found.map(({ decimals }) => decimals),
        clock.now(),
      ],
    )
  }

  async function askContracts({ rpc }: FactsChain, tokens: readonly Hex[]): Promise<readonly Stored[]> {
    const questions = tokens.flatMap((to) =>
      [selectors.name, selectors.symbol, selectors.decimals].map(
        (data) => ['eth_call', [{ to, data }, 'latest']] as const,
      ),
    )
    const answers = await rpc.tryAll(questions)
    return tokens.map((token, index) => {
      const [name, symbol, decimals] = answers.slice(3 * index, 3 * index + 3)
      const count = readWord(decimals)
      return {
        token,
        name: readText(name) ?? null,
        symbol: readText(symbol) ?? null,
        decimals: count !== undefined && count <= decimalsLimit ? Number(count) : null,
      }
    })
  }

  function remember(chain: FactsChain, stored: Stored): TokenFacts {
    const { token, name, symbol, decimals } = stored
    const listed = chain.tokens.find(({ address }) => address.toLowerCase() === token)
    const said = { name, symbol, decimals: decimals ?? undefined, iconUrl: '', listed: false }
    const facts: TokenFacts =
      listed === undefined
        ? { ...said, spam: isSuspicious(said, chain.tokens) }
        : { ...said, ...listed, iconUrl: listed.iconUrl ?? '', listed: true, spam: false }
    if (memory.size >= memoryLimit) memory.clear()
    memory.set(key(chain, token), facts)
    return facts
  }

  return {
    async of(chain, wanted) {
      const tokens = [...new Set(wanted)]
      const unknown = tokens.filter((token) => !memory.has(key(chain, token)))
      if (unknown.length > 0) {
        const stored = await readStored(chain, unknown)
        const known = new Set(stored.map(({ token }) => token))
        const fresh = unknown.filter((token) => !known.has(token))
        const asked: Stored[] = []
        for (let at = 0; at < fresh.length; at += perQuestion) {
          asked.push(...(await askContracts(chain, fresh.slice(at, at + perQuestion))))
        }
        if (asked.length > 0) await keep(chain, asked)
        for (const each of [...stored, ...asked]) remember(chain, each)
      }
      return new Map(
        tokens.map((token) => [
          token,
          memory.get(key(chain, token)) ?? remember(chain, { token, name: null, symbol: null, decimals: null }),
        ]),
      )
    },
  }
}
