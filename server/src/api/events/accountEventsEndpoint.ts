import type { Readable } from 'node:stream'
import { Type } from '@sinclair/typebox'
import type { Hex } from '../../indexer/block.ts'
import type { HistoryStore } from '../../indexer/history/historyStore.ts'
import type { IndexedChain, IndexedChains } from '../../indexer/indexedChains.ts'
import type { Database } from '../../kit/database/database.ts'
import type { Access } from '../../kit/http/access.ts'
import { clientAddress } from '../../kit/http/clientAddress.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { Problem } from '../../kit/http/problem.ts'
import { addressParam, commonQuery, parseAddress } from '../http/commonQuery.ts'
import { findProjectProblem } from '../http/projectGuard.ts'
import type { AddressRequests } from '../history/createAddressRequests.ts'
import type { AccountStream, AccountStreams } from './createAccountStreams.ts'

export type AccountEventsDependencies = {
  streams: AccountStreams
  indexed: IndexedChains
  database: Database
  history: HistoryStore
  requests: AddressRequests
  access: Pick<Access, 'projects' | 'onChange'>
  trustedProxies: number
}

const maxEvents = 1_000

/**
 * `GET /v1/account/:address/events`: server-sent events about an address on an indexed chain. `head` reports the last
 * indexed block, `change` that the address has a new transaction, `reset` that anything may have changed.
 */
export function createAccountEventsEndpoint(dependencies: AccountEventsDependencies): Endpoint {
  const { streams, indexed, requests, access, trustedProxies } = dependencies
  return defineEndpoint({
    method: 'GET',
    path: '/v1/account/:address/events',
    group: 'Accounts',
    summary:
      'Server-sent events about an address: head (a new block), change (a new transaction of the address), reset (anything may have changed). After a reconnection, Last-Event-ID brings a missed change.',
    params: addressParam,
    query: Type.Object({
      ...commonQuery,
      chainId: Type.String({ maxLength: 41 }),
      lastEventId: Type.Optional(
        Type.String({ pattern: '^\\d{1,15}$', description: 'In place of the header Last-Event-ID.' }),
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: maxEvents, description: 'Ends the stream after this number of events.' }),
      ),
    }),
    response: Type.Unsafe<Readable>(Type.String()),
    contentTypes: ['text/event-stream'],
    example: {
      params: { address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' },
      query: { chainId: 'eip155:31337', limit: '1' },
    },
    async handle({ params, query, raw, header }) {
      const { chainId, limit, projectId = '' } = query
      const { address } = parseAddress(params.address, chainId)
      const chain = indexed.byCaip(chainId)
      if (chain === undefined) throw new Problem(400, 'chainId', 'There are no events of this chain here.')
      const client = clientAddress(raw, trustedProxies)
      await requests.note([{ caipNetworkId: chainId }], address, { client, project: projectId })
      const stream = await streams.open({ chain: chainId, address, client, project: projectId.toLowerCase(), limit })
      const lastEventId = query.lastEventId ?? String(raw.headers['last-event-id'] ?? '')
      const stopWatching = access.onChange(() => {
        const problem = findProjectProblem(access.projects, projectId, raw.headers.origin)
        if (problem !== undefined) stream.body.destroy()
      })
      stream.body.once('close', stopWatching)
      // Read after the stream is open, so that no change is missed in between.
      await sendMissed(dependencies, { chain, address, since: parseEventId(lastEventId), stream }).catch(
        (error: unknown) => {
          stream.body.destroy()
          throw error
        },
      )
      header('content-type', 'text/event-stream; charset=utf-8')
      header('cache-control', 'no-store')
      // Proxies must not buffer the stream.
      header('x-accel-buffering', 'no')
      return stream.body
    },
  })
}

type MissedEvents = {
  chain: IndexedChain
  address: string
  since: number | undefined
  stream: AccountStream
}

const selectHead = `select head from index_chain where chain = $1`

/** Sends what happened after the last event of an earlier stream, and the head. */
async function sendMissed(
  { database, history }: AccountEventsDependencies,
  { chain, address, since, stream }: MissedEvents,
): Promise<void> {
  const account: Hex = `0x${address.slice(2).toLowerCase()}`
  const [row] = await database.run<{ head: number }>('account-events', selectHead, [chain.chain])
  if (row === undefined) return
  const last = since === undefined ? undefined : await history.findLastBlock(chain.chain, account)
  // A head below the last event: the chain was reorganised, or the index was built again.
  if (since !== undefined && row.head < since) stream.send({ type: 'reset' })
  else if (since !== undefined && (last ?? 0) > since) stream.send({ type: 'change' })
  stream.send({ type: 'head', block: row.head })
}

function parseEventId(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
