import { Type } from '@sinclair/typebox'
import type { NftPage } from '@latchkey/protocol'
import { normalizeAddress } from '../../kit/chain/normalizeAddress.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { IndexedChains } from '../../indexer/indexedChains.ts'
import { cursorLength, type Cursors } from '../http/cursors.ts'
import { addProject } from '../http/addProject.ts'
import { addressParam, chainIdQuery, commonQuery, parseAddress } from '../http/commonQuery.ts'
import { flagNfts, type SpamMarks } from '../spamReports/spamMarks.ts'
import type { HeldNfts } from './heldNfts.ts'

const nullable = <schema extends Parameters<typeof Type.Union>[0][number]>(schema: schema) =>
  Type.Union([schema, Type.Null()])

const result = Type.Unsafe<NftPage>(
  Type.Object({
    data: Type.Array(
      Type.Object({
        id: Type.String(),
        chainId: Type.String(),
        contract: Type.String(),
        tokenId: Type.String(),
        name: nullable(Type.String()),
        collection: Type.Object({ name: nullable(Type.String()), symbol: nullable(Type.String()) }),
        picture: nullable(Type.Object({ url: Type.String(), contentType: nullable(Type.String()) })),
        quantity: Type.String(),
        isSpam: Type.Boolean(),
      }),
    ),
    next: nullable(Type.String()),
  }),
)

const pageSize = 40

export type NftsDependencies = { held: HeldNfts; indexed: IndexedChains; cursors: Cursors; spamMarks: SpamMarks }

/** `GET /v1/account/:address/nfts`: the NFTs of an address, page by page. */
export function createNftsEndpoint({ held, indexed, cursors, spamMarks }: NftsDependencies): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/v1/account/:address/nfts',
    group: 'Accounts',
    summary: 'The NFTs that an address holds, page by page.',
    params: addressParam,
    query: Type.Object({
      ...commonQuery,
      ...chainIdQuery,
      cursor: Type.Optional(Type.String({ maxLength: cursorLength })),
    }),
    response: result,
    example: { params: { address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' } },
    async handle({ params, query: { chainId, cursor, projectId } }) {
      const { namespace, address } = parseAddress(params.address, chainId)
      if (namespace !== 'eip155') return { data: [], next: null }
      const chains = chainId === undefined ? indexed.all.map(({ caip }) => caip) : [chainId]
      if (chains.some((caip) => indexed.byCaip(caip) === undefined)) {
        throw new Problem(400, 'chainId', 'NFTs of this chain are not supported.')
      }
      const list = `nfts ${chains.join()} ${normalizeAddress(address)}`
      const { data, next } = await held.page({
        chains,
        address,
        cursor: cursors.open(list, cursor),
        size: pageSize,
      })
      const shown = flagNfts(data, await spamMarks.get()).map(({ picture, ...nft }) => ({
        ...nft,
        picture: picture === null ? null : { ...picture, url: addProject(picture.url, projectId) },
      }))
      return { data: shown, next: cursors.seal(list, next) }
    },
  })
}
