import { isAccountId, parseAccountId } from '@latchkey/protocol'
import { Type } from '@sinclair/typebox'
import type { IndexedChains } from '../../indexer/indexedChains.ts'
import type { Chain } from '../../kit/chain/chains.ts'
import type { Database } from '../../kit/database/database.ts'
import { clientAddress } from '../../kit/http/clientAddress.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { Problem } from '../../kit/http/problem.ts'
import { commonQuery, isNamespaceAddress } from '../http/commonQuery.ts'
import type { ReportedAsset, SpamReports } from './spamReports.ts'

export type SpamReportsDependencies = {
  chains: readonly Chain[]
  indexed: IndexedChains
  database: Pick<Database, 'run'>
  reports: SpamReports
  trustedProxies: number
}

const retryAfterSeconds = 86_400
const selectKnown = `select 1 as one from index_token where chain = $1 and token = $2`

/** `POST /v1/spam-reports`: reports the contract of a token or of an NFT as spam. */
export function createSpamReportsEndpoint(dependencies: SpamReportsDependencies): Endpoint {
  const { reports, trustedProxies } = dependencies
  return defineEndpoint({
    method: 'POST',
    path: '/v1/spam-reports',
    group: 'Accounts',
    isWrite: true,
    summary: 'Reports the contract of a token or of an NFT as spam. Repeated reports of a client count once.',
    query: Type.Object(commonQuery),
    body: Type.Object({
      projectId: Type.Optional(Type.String({ maxLength: 64 })),
      address: Type.String({ maxLength: 180, description: 'The CAIP-10 id of the contract.' }),
    }),
    response: Type.Object({ success: Type.Literal(true) }),
    maxBodyBytes: 2_048,
    example: { body: { address: `eip155:31337:0x${'5a'.repeat(20)}` }, status: 400 },
    async handle({ body, query, raw, header }) {
      const asset = await parseReportedAsset(dependencies, body.address)
      const project = (query.projectId ?? body.projectId ?? '').toLowerCase()
      const client = clientAddress(raw, trustedProxies)
      if (!(await reports.add({ ...asset, project, client }))) {
        header('retry-after', String(retryAfterSeconds))
        throw new Problem(429, 'address', 'Too many tokens were reported from this address.')
      }
      return { success: true as const }
    },
  })
}

/**
 * Parses the CAIP-10 id of a contract. On an indexed chain it must be one that the index knows, so that invented contracts
 * don't fill the storage.
 *
 * @throws Problem 400 `address` or `chainId`
 */
async function parseReportedAsset(
  { chains, indexed, database }: Pick<SpamReportsDependencies, 'chains' | 'indexed' | 'database'>,
  id: string,
): Promise<ReportedAsset> {
  if (!isAccountId(id)) throw new Problem(400, 'address', 'This is not a CAIP-10 id.')
  const { chainId, namespace, address } = parseAccountId(id)
  const chain = chains.find(({ caipNetworkId }) => caipNetworkId === chainId)
  if (chain === undefined) throw new Problem(400, 'chainId', 'This chain is not supported here.')
  if (!isNamespaceAddress(namespace, address)) {
    throw new Problem(400, 'address', `This is not an address of ${namespace}.`)
  }
  const asset = namespace === 'eip155' ? address.toLowerCase() : address
  if (chain.tokens.some((token) => token.address.toLowerCase() === asset.toLowerCase())) {
    throw new Problem(400, 'address', 'This token is on the list of this server.')
  }
  const number = indexed.byCaip(chainId)?.chain
  const isKnown = number === undefined || (await isIndexedToken(database, number, asset))
  if (!isKnown) throw new Problem(400, 'address', 'This contract is unknown here.')
  return { chain: chainId, asset }
}

async function isIndexedToken(database: Pick<Database, 'run'>, chain: number, asset: string): Promise<boolean> {
  return (await database.run('spam-known', selectKnown, [chain, `\\x${asset.slice(2)}`])).length > 0
}
