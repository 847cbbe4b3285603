import { isChainId, LatchkeyError, type ChainId, type Network } from '@latchkey/protocol'
import { ask, serverUrl } from './api/ask.ts'
import type { Latchkey } from './latchkey.ts'
import type { Features } from './options.ts'
import { isRestrictedZone } from './restricted.ts'
import { getAccount } from './state/wallet.ts'

/** What can be done or seen on a network. */
export type Feature = 'balances' | 'nfts' | 'history' | 'swaps' | 'names' | 'onramp' | 'send' | 'receive'

/** The switch of each feature that an app can turn off. */
const switches: { readonly [feature in Feature]?: keyof Features } = {
  history: 'history',
  swaps: 'swaps',
  onramp: 'onramp',
  send: 'send',
  receive: 'receive',
}

/** What is worth something only where money is. */
const worthless: readonly Feature[] = ['balances', 'swaps', 'onramp']

const servedMilliseconds = 86_400_000

/**
 * Whether a feature is to be shown on a network, on the one of the active account when left out. What the server reads is
 * known once `learnServed` was called; until then its word is taken for granted.
 *
 * @example if (supports(latchkey, 'swaps')) …
 */
export function supports(
  latchkey: Latchkey,
  feature: Feature,
  network: Network | undefined = getAccount(latchkey).network,
): boolean {
  const { server, features } = latchkey.settings
  const own = switches[feature]
  const adapter = latchkey.adapters.find(({ namespace }) => namespace === network?.chainNamespace)
  if (network === undefined || adapter === undefined || (own !== undefined && features[own] === false)) return false
  if (feature === 'receive') return true
  if (feature === 'send') return adapter.transfers !== undefined
  if (server === undefined || (network.testnet === true && worthless.includes(feature))) return false
  if (feature === 'onramp' && isRestrictedZone()) return false
  const named = adapter.features?.(network).includes(feature) === true
  const served = readServed(latchkey)
  if (served === undefined || feature === 'onramp') return named
  if (feature === 'swaps' && served.swaps !== undefined) return served.swaps.includes(network.caipNetworkId)
  return named && served.http.includes(network.caipNetworkId)
}

/** The chains that a server answers for, by what it does for them. */
type Served = { readonly http: readonly ChainId[]; readonly swaps: readonly ChainId[] | undefined }

/**
 * Asks the server which chains it reads; good for a day. Does nothing without a server.
 *
 * @throws LatchkeyError `http/status`, `http/unreachable`, `http/invalid-answer`.
 */
export async function learnServed(latchkey: Latchkey, signal?: AbortSignal): Promise<void> {
  if (latchkey.settings.server === undefined || readServed(latchkey) !== undefined) return
  const answer = await ask(latchkey, serverUrl(latchkey, '/v1/supported-chains'), signal)
  if (asServed(answer) === undefined) throw new LatchkeyError('http/invalid-answer', { what: 'supported chains' })
  latchkey.memory.setCached(keyOf(latchkey), JSON.stringify(answer))
}

function keyOf({ settings }: Latchkey): string {
  return `supported_chains/${settings.server}`
}

/** What is kept may be anything: a page's storage is open to all of its scripts. */
function readServed(latchkey: Latchkey): Served | undefined {
  const kept = latchkey.memory.cached(keyOf(latchkey), servedMilliseconds)
  try {
    return kept === undefined ? undefined : asServed(JSON.parse(kept))
  } catch {
    return undefined
  }
}

function asServed(answer: unknown): Served | undefined {
  if (typeof answer !== 'object' || answer === null || !('http' in answer)) return undefined
  const http = asChains(answer.http)
  return http === undefined ? undefined : { http, swaps: 'swaps' in answer ? asChains(answer.swaps) : undefined }
}

function asChains(value: unknown): readonly ChainId[] | undefined {
  return Array.isArray(value)
    ? value.filter((chain): chain is ChainId => typeof chain === 'string' && isChainId(chain))
    : undefined
}
