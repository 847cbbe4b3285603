import { parseAccountId, type Namespace } from '@latchkey/protocol'
import { serverUrl } from '../api/fetchJson.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import { getActiveConnection } from '../state/connectedWallets.ts'

/** The page of data to request for the connected account. */
export type PageOptions = {
  /** The `next` cursor of the previous page. Omit it for the first page. */
  cursor?: string
  /** The namespace of the account. Defaults to the active one. */
  namespace?: Namespace
  signal?: AbortSignal
}

/**
 * Returns the URL of a page about the connected account on its network, or undefined without a server.
 *
 * @throws LatchkeyError `connection/not-connected`.
 */
export function accountPageUrl(
  latchkey: Pick<Latchkey, 'adapters' | 'networks' | 'wallet' | 'internal'>,
  what: 'history' | 'nfts',
  { cursor, namespace }: PageOptions,
): URL | undefined {
  const { state, network } = getActiveConnection(latchkey, namespace)
  if (latchkey.internal.settings.server === undefined) return undefined
  const { address } = parseAccountId(state.account)
  const query = { chainId: network.caipNetworkId, cursor }
  return serverUrl(latchkey, `/v1/account/${encodeURIComponent(address)}/${what}`, query)
}
