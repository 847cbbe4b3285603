import type { Hex } from '../../indexer/block.ts'
import type { IndexedChain } from '../../indexer/indexedChains.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Database } from '../../kit/database/database.ts'
import { pause } from '../../kit/runtime/pause.ts'
import type { SafeFetch } from '../../kit/http/safeFetch.ts'
import type { TableRow } from '../../schema/tableRow.ts'
import { cleanText } from '../tokens/abi.ts'
import { isSpam } from '../tokens/spam.ts'
import { createNftMetadataReader, type NftId } from './nftMetadata.ts'

/** Metadata of an NFT as the API returns it. */
export type NftFacts = {
  name: string | undefined
  /** URL on this server, so that apps never load pictures from a third party. */
  picture: string | undefined
  contentType: string | undefined
  spam: boolean
}

export type NftFactsReader = {
  /**
   * Gets the metadata of NFTs by `token/tokenId`. Unknown metadata is waited for briefly. Loading continues in the
   * background, so that a later call finds it.
   */
  of(chain: IndexedChain, ids: readonly NftId[]): Promise<ReadonlyMap<string, NftFacts>>
  /** Gets the original location of a picture: a web URL or a data URI. */
  pictureOf(chain: IndexedChain, id: NftId): Promise<string | undefined>
}

export type NftFactsDependencies = {
  database: Database
  clock: Clock
  /** Fetches URLs from contracts, and refuses private addresses. */
  safeFetch: SafeFetch
  /** Prefix of `ipfs://` paths, ending in a slash. Without it they are not fetched. */
  ipfsGateway: string | undefined
  /** The URL at which browsers reach this server. Set once the server listens. */
  place: { readonly pictures: string }
  /** Timeout of a response that waits for unknown metadata, in milliseconds. */
  waitMs?: number
}

type NftRow = Pick<TableRow<'index_nft'>, 'token_id' | 'name' | 'picture' | 'content_type'> & { token: Hex }

const concurrency = 8
/** Stored instead of a data URI, which is read from its contract again rather than kept in the database. */
const inlinePicture = 'data:'

const selectNfts = `
  select '0x' || encode(nft.token, 'hex') as token, nft.token_id::text, name, picture, content_type
  from index_nft as nft join unnest($2::bytea[], $3::numeric[]) as wanted (token, token_id) using (token, token_id)
  where chain = $1`

const insertNft = `
  insert into index_nft (chain, token, token_id, name, picture, content_type, read_at)
  values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`

/** Creates the reader of NFT metadata, which reads each NFT from its contract once. */
export function createNftFacts(dependencies: NftFactsDependencies): NftFactsReader {
  const { database, place, waitMs = 1_500 } = dependencies
  const readMetadata = createNftMetadataReader(dependencies)
  const load = createNftLoader(dependencies, readMetadata)
  return {
    async of(chain, wanted) {
      const ids = [...new Map(wanted.map((id) => [formatNftKey(id), id])).values()]
      const known = await findNftRows(database, chain, ids)
      const knownKeys = new Set(known.map(toRowKey))
      const unknown = ids.filter((id) => !knownKeys.has(formatNftKey(id)))
      const loading = load(chain, unknown).catch(() => undefined)
      if (unknown.length > 0) await Promise.race([loading, pause(waitMs)])
      const rows = unknown.length === 0 ? known : [...known, ...(await findNftRows(database, chain, unknown))]
      return new Map(rows.map((row) => [toRowKey(row), toNftFacts(row, chain, place.pictures)]))
    },
    async pictureOf(chain, id) {
      const [known] = await findNftRows(database, chain, [id])
      if (known?.picture !== inlinePicture) return known?.picture ?? undefined
      return (await readMetadata(chain, id))?.picture
    },
  }
}

/** Creates the function that loads NFTs into the database, a few at a time. Concurrent calls share the load of an NFT. */
function createNftLoader(
  { database, clock }: NftFactsDependencies,
  readMetadata: ReturnType<typeof createNftMetadataReader>,
): (chain: IndexedChain, ids: readonly NftId[]) => Promise<void> {
  const pending = new Map<string, Promise<void>>()

  async function loadOne(chain: IndexedChain, id: NftId): Promise<void> {
    const metadata = await readMetadata(chain, id)
    // Without a response the NFT is tried again later.
    if (metadata === undefined) return
    const { name = null, contentType = null, picture = null } = metadata
    const stored = picture?.startsWith(inlinePicture) === true ? inlinePicture : picture
    const values = [chain.chain, `\\x${id.token.slice(2)}`, id.tokenId, name, stored, contentType, clock.now()]
    await database.run('nft-keep', insertNft, values)
  }

  return async (chain, ids) => {
    const queue = [...ids]
    const work = async (): Promise<void> => {
      for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
        const key = `${chain.chain}/${formatNftKey(id)}`
        const loading = pending.get(key) ?? loadOne(chain, id)
        pending.set(key, loading)
        await loading.finally(() => pending.delete(key))
      }
    }
    await Promise.all(Array.from({ length: concurrency }, work))
  }
}

async function findNftRows(
  database: Database,
  { chain }: IndexedChain,
  ids: readonly NftId[],
): Promise<readonly NftRow[]> {
  if (ids.length === 0) return []
  const tokens = ids.map(({ token }) => `\\x${token.slice(2)}`)
  return database.run<NftRow>('nft-facts', selectNfts, [chain, tokens, ids.map(({ tokenId }) => tokenId)])
}

function formatNftKey({ token, tokenId }: NftId): string {
  return `${token}/${tokenId}`
}

function toRowKey({ token, token_id: tokenId }: NftRow): string {
  return formatNftKey({ token, tokenId })
}

function toNftFacts(row: NftRow, chain: IndexedChain, serverUrl: string): NftFacts {
  const { name, picture, content_type: contentType } = row
  const label = name === null ? undefined : cleanText(name)
  const pictureUrl = `${serverUrl}/v1/nft/${encodeURIComponent(chain.caip)}/${toRowKey(row)}/picture`
  return {
    name: label === '' ? undefined : label,
    picture: picture === null ? undefined : pictureUrl,
    contentType: contentType ?? undefined,
    spam: isSpam({ name, symbol: null }, chain.tokens),
  }
}
