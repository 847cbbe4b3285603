import type { FastifyInstance } from 'fastify'
import type { Hex } from '../../indexer/block.ts'
import type { IndexedChains } from '../../indexer/indexedChains.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { ProjectGuard } from '../http/projectGuard.ts'
import type { ThirdPartyPictures } from '../http/thirdPartyPictures.ts'
import type { NftFactsReader } from './nftFacts.ts'

export type NftPictureDependencies = {
  indexed: IndexedChains
  nfts: NftFactsReader
  pictures: ThirdPartyPictures
  guard: ProjectGuard
}

/**
 * `GET /v1/nft/:chainId/:contract/:tokenId/picture`: the picture of an NFT, fetched by the server so that apps never
 * contact third parties. Only pictures of requested NFTs are served, so the endpoint is not an open proxy.
 */
export function serveNftPictures(
  app: FastifyInstance,
  { indexed, nfts, pictures, guard }: NftPictureDependencies,
): void {
  type Params = { chainId: string; contract: string; tokenId: string }
  app.get<{ Params: Params }>('/v1/nft/:chainId/:contract/:tokenId/picture', async (request, reply) => {
    await guard(request)
    const { chainId, contract, tokenId } = request.params
    const chain = indexed.byCaip(chainId)
    if (chain === undefined) throw new Problem(400, 'chainId', 'This chain is not indexed here.')
    if (!/^0x[0-9a-f]{40}$/.test(contract)) throw new Problem(400, 'contract', 'This is not a contract.')
    if (!/^\d{1,78}$/.test(tokenId)) throw new Problem(400, 'tokenId', 'This is not a token id.')
    // The format was checked above.
    const id = { token: contract as Hex, tokenId }
    const key = `nft/${chainId}/${contract}/${tokenId}`
    return pictures.send(reply, key, () => nfts.pictureOf(chain, id), 'tokenId')
  })
}
