import type { FastifyInstance } from 'fastify'
import type { Hex } from '../../indexer/block.ts'
import type { IndexedChains } from '../../indexer/chains.ts'
import { Problem } from '../../kit/problem.ts'
import type { SafeFetch } from '../../kit/safeFetch.ts'
import { sendStrangersPicture } from '../pictures.ts'
import type { NftFactsReader } from './nftFacts.ts'

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
    return sendStrangersPicture(reply, safeFetch, source, 'tokenId')
  })
}
