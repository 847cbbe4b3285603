import { Type } from '@sinclair/typebox'
import { parseChainId, type HistoryPage } from '@latchkey/protocol'
import type { Chain } from '../../kit/chain/chains.ts'
import { normalizeAddress } from '../../kit/chain/normalizeAddress.ts'
import { clientAddress } from '../../kit/http/clientAddress.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { Problem } from '../../kit/http/problem.ts'
import { cursorLength, type Cursors } from '../http/cursors.ts'
import { addProjectToItem } from '../http/addProject.ts'
import { assertCurrency } from '../http/assertCurrency.ts'
import { addressParam, chainIdQuery, commonQuery, parseAddress } from '../http/commonQuery.ts'
import { flagHistory, type SpamMarks } from '../spamReports/spamMarks.ts'
import type { AddValues } from './addValues.ts'
import type { AddressRequests } from './createAddressRequests.ts'
import type { HistorySource } from './historySource.ts'

const nullable = <schema extends Parameters<typeof Type.Union>[0][number]>(schema: schema) =>
  Type.Union([schema, Type.Null()])
const picture = nullable(Type.Object({ url: Type.String(), content_type: nullable(Type.String()) }))

const transfer = Type.Object({
  fungible_info: nullable(
    Type.Object({
      name: nullable(Type.String()),
      symbol: nullable(Type.String()),
      icon: nullable(Type.Object({ url: Type.String() })),
      flags: Type.Optional(Type.Object({ is_spam: Type.Boolean() })),
      address: Type.Optional(
        Type.String({ description: 'The CAIP-10 id of the contract. Missing for the native currency.' }),
      ),
    }),
  ),
  nft_info: nullable(
    Type.Object({
      name: nullable(Type.String()),
      content: nullable(Type.Object({ preview: picture, detail: picture })),
      flags: Type.Object({ is_spam: Type.Boolean() }),
      address: Type.Optional(Type.String({ description: 'The CAIP-10 id of the contract.' })),
    }),
  ),
  direction: Type.Union([Type.Literal('in'), Type.Literal('out'), Type.Literal('self')]),
  counterparty: Type.Optional(Type.String()),
  quantity: Type.Object({ numeric: Type.String() }),
  value: nullable(
    Type.Number({ description: 'The value in the currency on the day of the transaction (UTC). `null` if unknown.' }),
  ),
  price: nullable(Type.Number({ description: 'The price of one whole unit on that day. `null` if unknown.' })),
})

const result = Type.Unsafe<HistoryPage>(
  Type.Object({
    data: Type.Array(
      Type.Object({
        id: Type.String(),
        metadata: Type.Object({
          operationType: Type.String(),
          hash: Type.String(),
          minedAt: Type.String(),
          sentFrom: Type.String(),
          sentTo: Type.String(),
          status: Type.String(),
          nonce: Type.Number(),
          application: nullable(Type.Object({ name: nullable(Type.String()), iconUrl: nullable(Type.String()) })),
          chain: nullable(Type.String()),
        }),
        transfers: Type.Array(transfer),
      }),
    ),
    next: nullable(Type.String()),
    indexedSince: Type.Optional(
      Type.Array(Type.Object({ chain: Type.String(), block: Type.Integer(), minedAt: nullable(Type.String()) }), {
        description: 'The first indexed block of each chain. Earlier transactions are missing.',
      }),
    ),
  }),
)

const pageSize = 50

export type HistoryDependencies = {
  chains: readonly Chain[]
  sources: readonly HistorySource[]
  cursors: Cursors
  addValues: AddValues
  spamMarks: SpamMarks
  requests: AddressRequests
  trustedProxies: number
}

/** `GET /v1/account/:address/history`: the history of an address, newest first, page by page. */
export function createHistoryEndpoint(dependencies: HistoryDependencies): Endpoint {
  const { chains, sources, cursors, addValues, spamMarks, requests, trustedProxies } = dependencies
  return defineEndpoint({
    method: 'GET',
    path: '/v1/account/:address/history',
    group: 'Accounts',
    summary: 'The history of an address, newest first, page by page.',
    params: addressParam,
    query: Type.Object({
      ...commonQuery,
      ...chainIdQuery,
      currency: Type.Optional(
        Type.String({ maxLength: 8, description: 'The currency of values and prices; `usd` if missing.' }),
      ),
      cursor: Type.Optional(Type.String({ maxLength: cursorLength })),
      onramp: Type.Optional(Type.String({ maxLength: 40 })),
    }),
    response: result,
    example: { params: { address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' } },
    async handle({ params, query, raw, log }) {
      const { chainId, currency, cursor, onramp, projectId } = query
      // Clients send empty parameters that they don't set.
      if (currency !== undefined && currency !== '') assertCurrency(currency)
      const { namespace, address } = parseAddress(params.address, chainId)
      if (onramp !== undefined && onramp !== '' && onramp !== 'coinbase') {
        throw new Problem(400, 'provider', 'Purchases of this provider are not supported here.')
      }
      // Purchases are not part of the history.
      if (onramp === 'coinbase') return { data: [], next: null }
      const wanted = chooseChains(chains, namespace, chainId)
      const source = sources.find((each) => wanted.some((chain) => each.covers(chain)))
      if (source === undefined) return { data: [], next: null }
      const covered = wanted.filter((chain) => source.covers(chain))
      const requester = { client: clientAddress(raw, trustedProxies), project: projectId ?? '' }
      await requests.note(covered, address, requester)
      await requests.untilIndexed(covered, address)
      const list = `history ${covered.map(({ caipNetworkId }) => caipNetworkId).join()} ${normalizeAddress(address)}`
      const { data, next, indexedSince } = await source.page({
        chains: covered,
        address,
        cursor: cursors.open(list, cursor),
        size: pageSize,
      })
      // Pages are cached without values, because all currencies share them.
      const flagged = flagHistory(data, await spamMarks.get())
      const valued = await addValues(flagged, currency === undefined || currency === '' ? 'usd' : currency, log)
      return {
        data: valued.map((item) => addProjectToItem(item, projectId)),
        next: cursors.seal(list, next),
        indexedSince,
      }
    },
  })
}

/** @throws Problem 400 `chainId` if the chain is not configured */
function chooseChains(chains: readonly Chain[], namespace: string, chainId: string | undefined): readonly Chain[] {
  const readable = chains.filter(({ caipNetworkId }) => parseChainId(caipNetworkId).namespace === namespace)
  if (chainId === undefined) return readable
  const chain = readable.find(({ caipNetworkId }) => caipNetworkId === chainId)
  if (chain === undefined) throw new Problem(400, 'chainId', 'This chain is not supported here.')
  return [chain]
}
