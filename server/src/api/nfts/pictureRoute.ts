import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Hex } from '../../indexer/block.ts'
import type { IndexedChains } from '../../indexer/chains.ts'
import { Problem } from '../../kit/problem.ts'
import { AddressRefused, type SafeFetch } from '../../kit/safeFetch.ts'
import { readDataUri } from './metadata.ts'
import type { NftFactsReader } from './nftFacts.ts'

const pictureBytes = 4 * 1024 * 1024
const pictureTypes = /^image\/(?:png|jpeg|gif|webp|avif|svg\+xml)$/

export type PictureParts = { indexed: IndexedChains; nfts: NftFactsReader; safeFetch: SafeFetch }

/**
 * `GET /v1/nft/:chainId/:contract/:tokenId/picture`: the picture of an NFT, fetched by the server so that a page never
 * goes to a stranger's. Only pictures of NFTs that somebody asked about are there, so it is no open proxy.
 */
export function nftPictures(app: FastifyInstance, { indexed, nfts, safeFetch }: PictureParts): void {
  type Params = { chainId: string; contract: string; tokenId: string }
  app.get<{ Params: Params }>('/v1/nft/:chainId/:contract/:tokenId/picture', async ({ params }, reply) => {
    const { chainId, contract, tokenId } = params
    const chain = indexed.byCaip(chainId)
    if (chain === undefined) throw new Problem(400, 'chainId', 'This chain is not indexed here.')
    if (!/^0x[0-9a-f]{40}$/.test(contract)) throw new Problem(400, 'contract', 'This is not a contract.')
    if (!/^\d{1,78}$/.test(tokenId)) throw new Problem(400, 'tokenId', 'This is not a token id.')
    // The form was looked at above.
    const source = await nfts.pictureOf(chain, { token: contract as Hex, tokenId })
    if (source === undefined) throw new Problem(404, 'tokenId', 'There is no such picture.')
    const data = readDataUri(source)
    const { type, body } = data ?? (await fetchPicture(safeFetch, source))
    if (!pictureTypes.test(type)) throw new Problem(404, 'tokenId', 'This is not a picture.')
    return sendPicture(reply, type, body)
  })
}

async function fetchPicture(safeFetch: SafeFetch, url: string): Promise<{ type: string; body: Buffer }> {
  const answer = await safeFetch.fetch(url, { bytes: pictureBytes }).catch((error: unknown) => {
    if (error instanceof AddressRefused)
      throw new Problem(404, 'tokenId', 'There is no such picture.', { cause: error })
    throw new Problem(503, 'tokenId', 'The picture cannot be fetched now.', { cause: error })
  })
  if (answer.status !== 200) throw new Problem(503, 'tokenId', 'The picture cannot be fetched now.')
  return { type: answer.contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '', body: Buffer.from(answer.body) }
}

/** Whatever is inside of a picture, it runs no script and loads nothing, also when it is opened by itself. */
function sendPicture(reply: FastifyReply, type: string, body: Buffer): FastifyReply {
  return reply
    .header('content-type', type)
    .header('content-security-policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'")
    .header('cache-control', 'public, max-age=86400')
    .header('cross-origin-resource-policy', 'cross-origin')
    .send(body)
}
