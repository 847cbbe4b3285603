import type { Network } from '@latchkey/protocol'
import { serverUrl } from '../api/fetchJson.ts'
import type { Latchkey } from '../instance/latchkey.ts'

/**
 * Returns the URL of a network's picture: the app's own, or the one that the server has for the network's image id or
 * CAIP-2 id. Returns undefined without a server.
 *
 * @example const src = networkImageUrl(latchkey, network)
 */
export function networkImageUrl(
  latchkey: Latchkey,
  { caipNetworkId, assets }: Pick<Network, 'caipNetworkId' | 'assets'>,
): string | undefined {
  if (assets?.imageUrl !== undefined) return assets.imageUrl
  if (latchkey.internal.settings.server === undefined) return undefined
  return serverUrl(latchkey, `/public/getAssetImage/${encodeURIComponent(assets?.imageId ?? caipNetworkId)}`).href
}
