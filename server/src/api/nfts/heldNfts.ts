import type { ChainId, HeldNft, NftPage } from '@latchkey/protocol'
import { transferKinds, type Hex, type TransferKind } from '../../indexer/block.ts'
import type { IndexedChain, IndexedChains } from '../../indexer/indexedChains.ts'
import type { Database } from '../../kit/database/database.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { TokenFactsReader } from '../tokens/tokenFacts.ts'
import type { NftFactsReader } from './nftFacts.ts'

type NftCandidateRow = { chain: number; token: Hex; kind: TransferKind; token_id: string }

/** Lists the NFTs of an account. The index knows the received NFTs; the chain knows which are still held. */
export type HeldNfts = {
  page(request: {
    chains: readonly string[]
    address: string
    cursor: string | undefined
    size: number
  }): Promise<NftPage>
}

const candidates = `
  select chain, '0x' || encode(token, 'hex') as token, kind, token_id::text from index_holding
  where address = $1 and chain = any($2::int[]) and kind <> ${transferKinds.erc20}
    and (chain, token, kind, token_id) > ($3, $4, $5, $6)
  order by chain, token, kind, token_id limit $7`

/** The statement whose plan a test reads: address, chains, the last NFT of the previous page, limit. */
export function getNftCandidatesStatement(): string {
  return candidates
}

export type HeldNftsDependencies = {
  database: Database
  indexed: IndexedChains
  tokens: TokenFactsReader
  nfts: NftFactsReader
}

/** Creates the list on our own index. */
export function createHeldNfts({ database, indexed, tokens, nfts }: HeldNftsDependencies): HeldNfts {
  async function describe(chain: IndexedChain, held: readonly OwnedNft[]): Promise<readonly HeldNft[]> {
    const ids = held.map(({ token, token_id: tokenId }) => ({ token, tokenId }))
    const [collections, facts] = await Promise.all([
      tokens.of(chain, [...new Set(ids.map(({ token }) => token))]),
      nfts.of(chain, ids),
    ])
    return held.map(({ token, token_id: tokenId, kind, quantity }): HeldNft => {
      const collection = collections.get(token)
      const known = facts.get(`${token}/${tokenId}`)
      return {
        id: `${chain.caip}/${kind === transferKinds.erc721 ? 'erc721' : 'erc1155'}:${token}/${tokenId}`,
        chainId: chain.caip as ChainId,
        contract: token,
        tokenId,
        name: known?.name ?? null,
        collection: { name: collection?.name ?? null, symbol: collection?.symbol ?? null },
        picture: known?.picture === undefined ? null : { url: known.picture, contentType: known.contentType ?? null },
        quantity: String(quantity),
        isSpam: known?.spam === true || collection?.spam === true,
      }
    })
  }

  return {
    async page({ chains, address, cursor, size }) {
      const numbers = chains.flatMap((caip) => indexed.byCaip(caip)?.chain ?? [])
      const rows = await database.run<NftCandidateRow>('nft-candidates', candidates, [
        `\\x${address.slice(2).toLowerCase()}`,
        numbers,
        ...(cursor === undefined ? [0, '\\x', 0, '0'] : parseNftCursor(cursor)),
        size + 1,
      ])
      const shown = rows.slice(0, size)
      const last = rows.length > size ? shown.at(-1) : undefined
      const described = await Promise.all(
        [...new Set(shown.map(({ chain }) => chain))].map(async (number) => {
          const chain = indexed.byNumber(number)
          if (chain === undefined) return []
          return describe(
            chain,
            await filterOwned(
              chain,
              address,
              shown.filter((row) => row.chain === number),
            ),
          )
        }),
      )
      return { data: described.flat(), next: last === undefined ? null : formatNftCursor(last) }
    },
  }
}

type OwnedNft = NftCandidateRow & { quantity: bigint }

/** Keeps the NFTs that the account holds now: `ownerOf(uint256)` and `balanceOf(address,uint256)`. */
async function filterOwned(
  chain: IndexedChain,
  address: string,
  rows: readonly NftCandidateRow[],
): Promise<readonly OwnedNft[]> {
  const owner = address.slice(2).toLowerCase().padStart(64, '0')
  const responses = await chain.rpc.tryBatch(
    rows.map(({ token, kind, token_id }) => {
      const id = BigInt(token_id).toString(16).padStart(64, '0')
      const data = kind === transferKinds.erc721 ? `0x6352211e${id}` : `0x00fdd58e${owner}${id}`
      return ['eth_call', [{ to: token, data }, 'latest']] as const
    }),
  )
  return rows.flatMap((row, index): OwnedNft[] => {
    const response = responses[index]
    if (typeof response !== 'string' || !/^0x[0-9a-f]{64}$/i.test(response)) return []
    const quantity =
      row.kind === transferKinds.erc721 ? BigInt(response.toLowerCase() === `0x${owner}`) : BigInt(response)
    return quantity === 0n ? [] : [{ ...row, quantity }]
  })
}

function formatNftCursor({ chain, token, kind, token_id }: NftCandidateRow): string {
  return Buffer.from([chain, token.slice(2), kind, token_id].join('.')).toString('base64url')
}

function parseNftCursor(cursor: string): readonly [number, string, number, string] {
  const written = Buffer.from(cursor, 'base64url').toString('latin1')
  const [, chain, token = '', kind, id = ''] = /^(\d{1,9})\.([0-9a-f]{40})\.(\d)\.(\d{1,78})$/.exec(written) ?? []
  if (chain === undefined) throw new Problem(400, 'cursor', 'This cursor is not valid for this list.')
  return [Number(chain), `\\x${token}`, Number(kind), id]
}
