import type { ChainId, HistoryItem, HistoryTransfer } from '@latchkey/protocol'
import type { Chain } from '../../kit/chains.ts'
import type { Database } from '../../kit/database.ts'
import { decimal } from '../../kit/decimal.ts'
import { kinds, type Hex, type Kind } from '../../indexer/block.ts'
import type { IndexedChains } from '../../indexer/chains.ts'
import type { NftFacts, NftFactsReader, NftId } from '../nfts/nftFacts.ts'
import type { TokenFacts, TokenFactsReader } from '../tokens/tokenFacts.ts'
import { readCursor, writeCursor } from './cursor.ts'
import type { HistorySource } from './historySource.ts'
import { moves, operationOf, type Movement } from './operation.ts'

type MovementRow = [kind: Kind, token: string, sender: string, receiver: string, tokenId: string | null, amount: string]

type Row = {
  chain: number
  block: number
  position: number
  mined_at: number
  hash: Hex
  sender: Hex
  receiver: Hex | null
  created: Hex | null
  nonce: number
  method: Hex | null
  succeeded: boolean
  transfers: readonly MovementRow[] | null
}

/** More movements of one transaction than anybody reads are not told. */
const movementsPerTransaction = 50

const pageStatement = `
  with page as (
    select chain, block, position, mined_at from index_activity
    where address = $1 and chain = any($2::int[]) and (mined_at, chain, block, position) < ($3, $4, $5, $6)
    order by mined_at desc, chain desc, block desc, position desc limit $7
  )
  select page.chain, page.block, page.position, page.mined_at, '0x' || encode(own.hash, 'hex') as hash,
    '0x' || encode(own.sender, 'hex') as sender, '0x' || encode(own.receiver, 'hex') as receiver,
    '0x' || encode(own.created, 'hex') as created, own.nonce, '0x' || encode(own.method, 'hex') as method, own.succeeded,
    (
      select json_agg(json_build_array(
        kind, encode(token, 'hex'), encode(sender, 'hex'), encode(receiver, 'hex'), token_id::text, amount::text
      ) order by ordinal)
      from (
        select * from index_transfer as each
        where each.chain = page.chain and each.block = page.block and each.position = page.position
          and (each.sender = $1 or each.receiver = $1)
        order by ordinal limit ${movementsPerTransaction}
      ) as concerned
    ) as transfers
  from page join index_transaction as own using (chain, block, position)
  order by page.mined_at desc, page.chain desc, page.block desc, page.position desc`

const unlimited = 999_999_999_999_999

/** What a page needs to be told in words. */
type Facts = { tokens: ReadonlyMap<string, TokenFacts>; nfts: ReadonlyMap<string, NftFacts> }

export type IndexHistoryParts = {
  database: Database
  indexed: IndexedChains
  tokens: TokenFactsReader
  nfts: NftFactsReader
}

/** Tells histories from the own index. */
export function createIndexHistory({ database, indexed, tokens, nfts }: IndexHistoryParts): HistorySource {
  /** All names of a page at once, per chain. */
  async function factsOf(rows: readonly Row[]): Promise<Facts> {
    const perChain = [...new Set(rows.map(({ chain }) => chain))].map(async (number) => {
      const chain = indexed.byNumber(number)
      const moved = rows.filter((row) => row.chain === number).flatMap(movementsOf)
      const wanted = moved.filter(({ kind }) => kind !== kinds.native).map(({ token }) => token)
      const ids = moved.flatMap(({ kind, token, tokenId }): NftId[] =>
        isNft(kind) && tokenId !== null ? [{ token, tokenId }] : [],
      )
      if (chain === undefined) return { tokens: [], nfts: [] }
      const [known, pictured] = await Promise.all([tokens.of(chain, wanted), nfts.of(chain, ids)])
      return {
        tokens: [...known].map(([token, facts]) => [`${number}/${token}`, facts] as const),
        nfts: [...pictured].map(([id, facts]) => [`${number}/${id}`, facts] as const),
      }
    })
    const told = await Promise.all(perChain)
    return {
      tokens: new Map(told.flatMap((each) => each.tokens)),
      nfts: new Map(told.flatMap((each) => each.nfts)),
    }
  }

  function itemOf(row: Row, account: Hex, facts: Facts): HistoryItem {
    const chain = indexed.byNumber(row.chain)
    const movements = movementsOf(row)
    return {
      id: `${chain?.caip ?? row.chain}:${row.hash}`,
      metadata: {
        operationType: operationOf({ ...row, account, movements }),
        hash: row.hash,
        minedAt: new Date(row.mined_at).toISOString(),
        sentFrom: row.sender,
        sentTo: row.receiver ?? row.created ?? '',
        status: row.succeeded ? 'confirmed' : 'failed',
        nonce: row.nonce,
        application: null,
        chain: (chain?.caip as ChainId | undefined) ?? null,
      },
      transfers: movements
        .filter(moves)
        .map((movement) => transferOf(movement, account, row.chain, chain?.native, facts)),
    }
  }

  return {
    covers: (chain) => indexed.byCaip(chain.caipNetworkId) !== undefined,
    async page({ chains, address, cursor, size }) {
      const account: Hex = `0x${address.slice(2).toLowerCase()}`
      const numbers = chains.flatMap(({ caipNetworkId }) => indexed.byCaip(caipNetworkId)?.chain ?? [])
      const after = cursor === undefined ? [unlimited, 0, 0, 0] : readCursor(cursor, 4)
      // One more than wanted, which tells whether there is another page.
      const rows = await database.run<Row>('history-page', pageStatement, [
        `\\x${account.slice(2)}`,
        numbers,
        ...after,
        size + 1,
      ])
      const shown = rows.slice(0, size)
      const last = rows.length > size ? shown.at(-1) : undefined
      const facts = await factsOf(shown)
      return {
        data: shown.map((row) => itemOf(row, account, facts)),
        next: last === undefined ? null : writeCursor([last.mined_at, last.chain, last.block, last.position]),
      }
    },
  }
}

function movementsOf({ transfers }: Row): readonly Movement[] {
  return (transfers ?? []).map(([kind, token, sender, receiver, tokenId, amount]) => ({
    kind,
    token: `0x${token}`,
    sender: `0x${sender}`,
    receiver: `0x${receiver}`,
    tokenId,
    amount,
  }))
}

function isNft(kind: Kind): boolean {
  return kind === kinds.erc721 || kind === kinds.erc1155
}

function transferOf(
  { kind, token, sender, receiver, tokenId, amount }: Movement,
  account: Hex,
  chain: number,
  native: Chain['nativeCurrency'] | undefined,
  facts: Facts,
): HistoryTransfer {
  const known = kind === kinds.native ? native : facts.tokens.get(`${chain}/${token}`)
  const common = {
    direction: sender === receiver ? ('self' as const) : receiver === account ? ('in' as const) : ('out' as const),
    value: null,
    price: null,
  }
  if (isNft(kind)) {
    const nft = facts.nfts.get(`${chain}/${token}/${tokenId ?? ''}`)
    const picture = nft?.picture === undefined ? null : { url: nft.picture, content_type: nft.contentType ?? null }
    return {
      ...common,
      fungible_info: null,
      nft_info: {
        name: nft?.name ?? known?.name ?? null,
        content: picture === null ? null : { preview: picture, detail: picture },
        flags: { is_spam: nft?.spam ?? false },
      },
      quantity: { numeric: amount },
    }
  }
  const icon = known !== undefined && 'iconUrl' in known && known.iconUrl !== '' ? { url: known.iconUrl } : null
  return {
    ...common,
    fungible_info: { name: known?.name ?? null, symbol: known?.symbol ?? null, icon },
    nft_info: null,
    quantity: { numeric: decimal(BigInt(amount), known?.decimals ?? 0) },
  }
}
