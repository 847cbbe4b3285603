import { parseAccountId, type Namespace } from '@latchkey/protocol'
import { serverUrl } from '../api/ask.ts'
import type { Latchkey } from '../latchkey.ts'
import { requireConnected } from '../state/standing.ts'

/** Which page of what belongs to the connected account is asked for. */
export type PageOptions = {
  /** Where the page before ended, as its `next` said; the first page when left out. */
  cursor?: string
  /** Of which chain family; of the active one when left out. */
  namespace?: Namespace
  signal?: AbortSignal
}

/**
 * Where a page of what belongs to the connected account is, on the network that it is on; undefined without a server.
 *
 * @throws LatchkeyError `connection/not-connected`.
 */
export function pageUrl(
  latchkey: Latchkey,
  what: 'history' | 'nfts',
  { cursor, namespace }: PageOptions,
): URL | undefined {
  const { state, network } = requireConnected(latchkey, namespace)
  if (latchkey.settings.server === undefined) return undefined
  const { address } = parseAccountId(state.account)
  const query = { chainId: network.caipNetworkId, cursor }
  return serverUrl(latchkey, `/v1/account/${encodeURIComponent(address)}/${what}`, query)
}
