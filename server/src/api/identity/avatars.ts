import type { FastifyInstance } from 'fastify'
import { createChainRpc, type ChainRpc } from '../../kit/chain/chainRpc.ts'
import type { Chain } from '../../kit/chain/chains.ts'
import type { EndpointPools } from '../../kit/chain/endpointPools.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { SafeFetch } from '../../kit/http/safeFetch.ts'
import { createNftMetadataReader, parseDataUri, toWebUrl } from '../nfts/nftMetadata.ts'
import type { ProjectGuard } from '../http/projectGuard.ts'
import type { ThirdPartyPictures } from '../http/thirdPartyPictures.ts'
import { isNamespaceAddress } from '../http/commonQuery.ts'
import type { IdentityLookup } from './identityLookup.ts'

export type AvatarDependencies = {
  lookup: IdentityLookup
  chains: readonly Chain[]
  pools: EndpointPools
  safeFetch: SafeFetch
  ipfsGateway: string | undefined
  pictures: ThirdPartyPictures
  guard: ProjectGuard
}

/** An NFT in the format of ENSIP-12. */
const nftRecord = /^eip155:(\d{1,16})\/(erc721|erc1155):(0x[0-9a-f]{40})\/(\d{1,78})$/i

/** True if the record has a supported format. */
export function isAvatarRecord(record: string): boolean {
  return nftRecord.test(record) || /^(?:https?:\/\/|ipfs:\/\/|data:image\/)/i.test(record)
}

/**
 * `GET /v1/identity/:address/avatar`: the avatar of an address, fetched by the server so that apps never contact third
 * parties. An NFT counts only while the address holds it.
 */
export function serveAvatars(app: FastifyInstance, dependencies: AvatarDependencies): void {
  const { lookup, pictures, guard } = dependencies
  const sourceOf = createAvatarResolver(dependencies)
  app.get<{ Params: { address: string } }>('/v1/identity/:address/avatar', async (request, reply) => {
    await guard(request)
    const { address } = request.params
    if (!isNamespaceAddress('eip155', address)) throw new Problem(400, 'address', 'This is not an address.')
    const { avatar } = await lookup.identity(address).catch((cause: unknown) => {
      throw new Problem(503, '', 'Names are not available right now.', { cause })
    })
    const findSource = async (): Promise<string | undefined> =>
      avatar === null ? undefined : sourceOf(avatar, address)
    return pictures.send(reply, `avatar/${address.toLowerCase()}/${avatar ?? ''}`, findSource, 'address')
  })
}

/** Creates the function that resolves a record to the location of its picture. */
function createAvatarResolver({ chains, pools, safeFetch, ipfsGateway }: AvatarDependencies) {
  const readMetadata = createNftMetadataReader({ safeFetch, ipfsGateway })
  return async (record: string, owner: string): Promise<string | undefined> => {
    const [, chainId, standard, contract, tokenId = ''] = nftRecord.exec(record) ?? []
    if (chainId === undefined) return parseDataUri(record) === undefined ? toWebUrl(record, ipfsGateway) : record
    const chain = chains.find(({ caipNetworkId }) => caipNetworkId === `eip155:${chainId}`)
    if (chain === undefined) return undefined
    const rpc = createChainRpc(pools.get(chain))
    // The pattern checked the format.
    const token = contract?.toLowerCase() as `0x${string}`
    if (!(await isNftOwner(rpc, standard?.toLowerCase() === 'erc721', { token, tokenId, owner }))) return undefined
    return (await readMetadata({ rpc }, { token, tokenId }))?.picture
  }
}

type NftOwnership = { token: string; tokenId: string; owner: string }

/** `ownerOf(uint256)`, or `balanceOf(address,uint256)`. */
async function isNftOwner(rpc: ChainRpc, isSingle: boolean, { token, tokenId, owner }: NftOwnership): Promise<boolean> {
  const id = BigInt(tokenId).toString(16).padStart(64, '0')
  const holder = owner.slice(2).toLowerCase().padStart(64, '0')
  const data = isSingle ? `0x6352211e${id}` : `0x00fdd58e${holder}${id}`
  const [result] = await rpc.tryBatch([['eth_call', [{ to: token, data }, 'latest']]])
  if (typeof result !== 'string' || !/^0x[0-9a-f]{64}$/i.test(result)) return false
  return isSingle ? result.slice(2).toLowerCase() === holder : BigInt(result) > 0n
}
