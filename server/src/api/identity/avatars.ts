import type { FastifyInstance } from 'fastify'
import { createChainRpc, type ChainRpc } from '../../kit/chainRpc.ts'
import type { Chain } from '../../kit/chains.ts'
import type { Pools } from '../../kit/pools.ts'
import { Problem } from '../../kit/problem.ts'
import type { SafeFetch } from '../../kit/safeFetch.ts'
import { createMetadataReader, readDataUri, webAddress } from '../nfts/metadata.ts'
import { sendStrangersPicture } from '../pictures.ts'
import { isAddressOf } from '../questions.ts'
import type { Lookup } from './lookup.ts'

export type AvatarParts = {
  lookup: Lookup
  chains: readonly Chain[]
  pools: Pools
  safeFetch: SafeFetch
  ipfsGateway: string | undefined
}

/** An NFT as ENSIP-12 writes it. */
const nftRecord = /^eip155:(\d{1,16})\/(erc721|erc1155):(0x[0-9a-f]{40})\/(\d{1,78})$/i

/** Whether a record is of a form that a picture can be made of. */
export function isAvatar(record: string): boolean {
  return nftRecord.test(record) || /^(?:https?:\/\/|ipfs:\/\/|data:image\/)/i.test(record)
}

/**
 * `GET /v1/identity/:address/avatar`: the picture that the owner of a name chose, fetched by the server so that a page
 * never goes to a stranger's. An NFT counts only as long as the address holds it.
 */
export function serveAvatars(app: FastifyInstance, parts: AvatarParts): void {
  const { lookup, safeFetch } = parts
  const sourceOf = createSources(parts)
  app.get<{ Params: { address: string } }>('/v1/identity/:address/avatar', async ({ params: { address } }, reply) => {
    if (!isAddressOf('eip155', address)) throw new Problem(400, 'address', 'This is not an address.')
    const { avatar } = await lookup.identity(address).catch((cause: unknown) => {
      throw new Problem(503, '', 'Names cannot be looked up now.', { cause })
    })
    const source = avatar === null ? undefined : await sourceOf(avatar, address)
    return sendStrangersPicture(reply, safeFetch, source, 'address')
  })
}

/** Where the picture of a record really is. */
function createSources({ chains, pools, safeFetch, ipfsGateway }: AvatarParts) {
  const readMetadata = createMetadataReader({ safeFetch, ipfsGateway })
  return async (record: string, owner: string): Promise<string | undefined> => {
    const [, chainId, standard, contract, tokenId = ''] = nftRecord.exec(record) ?? []
    if (chainId === undefined) return readDataUri(record) === undefined ? webAddress(record, ipfsGateway) : record
    const chain = chains.find(({ caipNetworkId }) => caipNetworkId === `eip155:${chainId}`)
    if (chain === undefined) return undefined
    const rpc = createChainRpc(pools.of(chain))
    // The form was looked at by the pattern.
    const token = contract?.toLowerCase() as `0x${string}`
    if (!(await holds(rpc, standard?.toLowerCase() === 'erc721', { token, tokenId, owner }))) return undefined
    return (await readMetadata({ rpc }, { token, tokenId }))?.picture
  }
}

type Held = { token: string; tokenId: string; owner: string }

/** `ownerOf(uint256)`, or `balanceOf(address,uint256)`. */
async function holds(rpc: ChainRpc, isSingle: boolean, { token, tokenId, owner }: Held): Promise<boolean> {
  const id = BigInt(tokenId).toString(16).padStart(64, '0')
  const holder = owner.slice(2).toLowerCase().padStart(64, '0')
  const data = isSingle ? `0x6352211e${id}` : `0x00fdd58e${holder}${id}`
  const [told] = await rpc.tryAll([['eth_call', [{ to: token, data }, 'latest']]])
  if (typeof told !== 'string' || !/^0x[0-9a-f]{64}$/i.test(told)) return false
  return isSingle ? told.slice(2).toLowerCase() === holder : BigInt(told) > 0n
}
