import type { FastifyInstance } from 'fastify'
import type { Hex } from '../../indexer/block.ts'
import type { IndexedChains } from '../../indexer/indexedChains.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { SafeFetch } from '../../kit/http/safeFetch.ts'
import { sendThirdPartyPicture } from '../http/sendThirdPartyPicture.ts'
import type { NftFactsReader } from './nftFacts.ts'

export type NftPictureDependencies = { indexed: IndexedChains; nfts: NftFactsReader; safeFetch: SafeFetch }

/**
 * `GET /v1/nft/:chainId/:contract/:tokenId/picture`: the picture of an NFT, fetched by the server so that apps never
 * contact third parties. Only pictures of requested NFTs are served, so the endpoint is not an open proxy.
 */
export function serveNftPictures(app: FastifyInstance, { indexed, nfts, safeFetch }: NftPictureDependencies): void {
  type Params = { chainId: string; contract: string; tokenId: string }
  app.get<{ Params: Params }>('/v1/nft/:chainId/:contract/:tokenId/picture', async ({ params }, reply) => {
    const { chainId, contract, tokenId } = params
    const chain = indexed.byCaip(chainId)
    if (chain === undefined) throw new Problem(400, 'chainId', 'This chain is not indexed here.')
    if (!/^0x[0-9a-f]{40}$/.test(contract)) throw new Problem(400, 'contract', 'This is not a contract.')
    if (!/^\d{1,78}$/.test(tokenId)) throw new Problem(400, 'tokenId', 'This is not a token id.')
    // The format was checked above.
    const source = await nfts.pictureOf(chain, { token: contract as Hex, tokenId })
    return sendThirdPartyPicture(reply, safeFetch, source, 'tokenId')
  })
}
