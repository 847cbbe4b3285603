import { isChainId, isRecord, type ChainId, type Network, httpError } from '@latchkey/protocol'
import { fetchJson, serverUrl } from '../api/fetchJson.ts'
import type { Feature } from '../contracts/adapter.ts'
import type { Internals, Latchkey } from '../instance/latchkey.ts'
import type { Features } from '../instance/options.ts'
import { isRestrictedZone } from './isRestrictedZone.ts'
import { accountStateOf } from '../state/getAccount.ts'
import { getCached, setCached } from '../storage/getCached.ts'

/** The switch of each feature that an app can turn off. */
const switches: { readonly [feature in Feature]?: keyof Features } = {
  history: 'history',
  swaps: 'swaps',
  onramp: 'onramp',
  send: 'send',
  receive: 'receive',
}

/** Features that make sense only on mainnets. */
const mainnetOnlyFeatures: readonly Feature[] = ['balances', 'swaps', 'onramp']

const servedMilliseconds = 86_400_000

/**
 * True if a feature is available on a network. Before `loadSupportedChains` has run, the adapter decides.
 *
 * @example if (supports(latchkey, 'swaps')) show('swaps')
 */
export function supports(
  latchkey: Latchkey,
  feature: Feature,
  network: Network | undefined = accountStateOf(latchkey).network,
): boolean {
  const { server, features } = latchkey.internal.settings
  const own = switches[feature]
  const adapter = latchkey.adapters.find(({ namespace }) => namespace === network?.chainNamespace)
  if (network === undefined || adapter === undefined || (own !== undefined && features[own] === false)) return false
  if (feature === 'receive') return true
  if (feature === 'send') return adapter.transfers !== undefined
  if (server === undefined || (network.testnet === true && mainnetOnlyFeatures.includes(feature))) return false
  if (feature === 'onramp' && isRestrictedZone()) return false
  const named = adapter.features?.(network).includes(feature) === true
  const served = getSupportedChains(latchkey)
  if (served === undefined || feature === 'onramp') return named
  if (feature === 'swaps' && served.swaps !== undefined) return served.swaps.includes(network.caipNetworkId)
  // Some histories need a source that only the server knows.
  if (feature === 'history' && served.history.includes(network.caipNetworkId)) return true
  return named && served.http.includes(network.caipNetworkId)
}

/** The chains that a server supports, by feature. */
type SupportedChains = {
  readonly http: readonly ChainId[]
  /** Empty on older servers. */
  readonly history: readonly ChainId[]
  readonly swaps: readonly ChainId[] | undefined
}

/**
 * Fetches the chains that the server supports. Cached for a day. Does nothing without a server.
 *
 * @throws LatchkeyError `http/status`, `http/unreachable`, `http/invalid-response`.
 */
export async function loadSupportedChains(
  latchkey: Pick<Latchkey, 'events' | 'internal'>,
  signal?: AbortSignal,
): Promise<void> {
  if (latchkey.internal.settings.server === undefined || getSupportedChains(latchkey) !== undefined) return
  const response = await fetchJson(latchkey, serverUrl(latchkey, '/v1/supported-chains'), signal)
  if (parseSupportedChains(response) === undefined)
    throw httpError('http/invalid-response', { subject: 'supported chains' })
  setCached(latchkey.internal, supportedChainsKey(latchkey.internal), JSON.stringify(response))
}

function supportedChainsKey({ settings }: Internals): string {
  return `supported_chains/${settings.server}`
}

/** Stored values may be anything: every script of the page can write to its storage. */
function getSupportedChains(latchkey: Pick<Latchkey, 'internal'>): SupportedChains | undefined {
  const cached = getCached(latchkey.internal, supportedChainsKey(latchkey.internal), servedMilliseconds)
  try {
    return cached === undefined ? undefined : parseSupportedChains(JSON.parse(cached))
  } catch {
    return undefined
  }
}

function parseSupportedChains(response: unknown): SupportedChains | undefined {
  if (!isRecord(response)) return undefined
  const [http, history = [], swaps] = ['http', 'history', 'swaps'].map((name) => parseChains(response[name]))
  return http && { http, history, swaps }
}

function parseChains(value: unknown): readonly ChainId[] | undefined {
  return Array.isArray(value)
    ? value.filter((chain): chain is ChainId => typeof chain === 'string' && isChainId(chain))
    : undefined
}
