import type { Hex } from '../../indexer/block.ts'
import type { IndexedChain } from '../../indexer/chains.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Database } from '../../kit/database.ts'
import { pause } from '../../kit/pause.ts'
import type { SafeFetch } from '../../kit/safeFetch.ts'
import { cleaned } from '../tokens/abi.ts'
import { isSuspicious } from '../tokens/spam.ts'
import { createMetadataReader, type Metadata } from './metadata.ts'

/** One NFT of a chain. */
export type NftId = { token: Hex; tokenId: string }

/** What is known of an NFT. */
export type NftFacts = {
  name: string | undefined
  /** Where our server shows it: a page never goes to a stranger's. */
  picture: string | undefined
  contentType: string | undefined
  spam: boolean
}

export type NftFactsReader = {
  /**
   * By `token/tokenId`. What is not known yet is read for a moment at most; it goes on in the background, and is there
   * when asked again.
   */
  of(chain: IndexedChain, ids: readonly NftId[]): Promise<ReadonlyMap<string, NftFacts>>
  /** Where the picture of an NFT really is: an address of the web, or the picture itself as a data URI. */
  pictureOf(chain: IndexedChain, id: NftId): Promise<string | undefined>
}

export type NftFactsParts = {
  database: Database
  clock: Clock
  /** Goes to what strangers wrote into contracts, safely. */
  safeFetch: SafeFetch
  /** Where `ipfs://` leads, ending in a slash; nowhere when undefined. */
  ipfsGateway: string | undefined
  /** Where browsers reach this server; known once it listens. */
  place: { readonly pictures: string }
  /** How long an answer waits for what is not known yet, in milliseconds. */
  patience?: number
}

type Stored = { token: Hex; token_id: string; name: string | null; picture: string | null; content_type: string | null }

const atOnce = 8
/** A picture inside of the metadata is read again from its contract, rather than kept. */
const inside = 'data:'

/** Reads what contracts and their metadata say of NFTs, once each. */
export function createNftFacts(parts: NftFactsParts): NftFactsReader {
  const { database, clock, patience = 1_500 } = parts
  const read = createMetadataReader(parts)
  const under = new Map<string, Promise<void>>()

  async function stored({ chain }: IndexedChain, ids: readonly NftId[]): Promise<readonly Stored[]> {
    if (ids.length === 0) return []
    return database.run<Stored>(
      'nft-facts',
      `select '0x' || encode(nft.token, 'hex') as token, nft.token_id::text, name, picture, content_type
       from index_nft as nft join unnest($2::bytea[], $3::numeric[]) as wanted (token, token_id) using (token, token_id)
       where chain = $1`,
      [chain, ids.map(({ token }) => `\\x${token.slice(2)}`), ids.map(({ tokenId }) => tokenId)],
    )
  }

  async function keep({ chain }: IndexedChain, { token, tokenId }: NftId, found: Metadata): Promise<void> {
    await database.run(
      'nft-keep',
      `insert into index_nft (chain, token, token_id, name, picture, content_type, read_at)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
      [
        chain,
        `\\x${token.slice(2)}`,
        tokenId,
        found.name ?? null,
        found.picture?.startsWith(inside) === true ? inside : (found.picture ?? null),
        found.contentType ?? null,
        clock.now(),
      ],
    )
  }

  /** One reading per NFT, however many ask for it; few at a time. */
  async function learn(chain: IndexedChain, ids: readonly NftId[]): Promise<void> {
    const waiting = [...ids]
    const work = async (): Promise<void> => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
        const key = `${chain.chain}/${id.token}/${id.tokenId}`
        const reading = under.get(key) ?? start(chain, id)
        under.set(key, reading)
        await reading.finally(() => under.delete(key))
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
  }

  async function start(chain: IndexedChain, id: NftId): Promise<void> {
    const found = await read(chain, id)
    // Where nobody answered there is another time.
    if (found !== undefined) await keep(chain, id, found)
  }

  function factsOf(chain: IndexedChain, { token, token_id, name, picture, content_type }: Stored): NftFacts {
    const called = name === null ? undefined : cleaned(name)
    const where = `${parts.place.pictures}/v1/nft/${encodeURIComponent(chain.caip)}/${token}/${token_id}/picture`
    return {
      name: called === '' ? undefined : called,
      picture: picture === null ? undefined : where,
      contentType: content_type ?? undefined,
      spam: isSuspicious({ name, symbol: null }, chain.tokens),
    }
  }

  return {
    async of(chain, wanted) {
      const ids = [...new Map(wanted.map((id) => [`${id.token}/${id.tokenId}`, id])).values()]
      const known = await stored(chain, ids)
      const there = new Set(known.map((each) => `${each.token}/${each.token_id}`))
      const unknown = ids.filter(({ token, tokenId }) => !there.has(`${token}/${tokenId}`))
      const learning = learn(chain, unknown).catch(() => undefined)
      if (unknown.length > 0) await Promise.race([learning, pause(patience)])
      const all = unknown.length === 0 ? known : [...known, ...(await stored(chain, unknown))]
      return new Map(all.map((each) => [`${each.token}/${each.token_id}`, factsOf(chain, each)]))
    },
    async pictureOf(chain, id) {
      const [known] = await stored(chain, [id])
      if (known?.picture !== inside) return known?.picture ?? undefined
      return (await read(chain, id))?.picture
    },
  }
}
