import { createCircuitBreaker, type CircuitBreaker } from '../../kit/limits/circuitBreaker.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { DataProvider } from '../../kit/chain/dataProvider.ts'

/** A provider is not available. The message names only the kind of provider, because its URL may contain a key. */
export class ProviderUnavailableError extends Error {
  override readonly name: string = 'ProviderSilent'
}

/** A provider responded that it does not accept a request. It is available, so that other requests may succeed. */
class RequestRefusedError extends ProviderUnavailableError {}

/** Sends a request to a provider. */
export type ProviderFetch = {
  /**
   * @param path appended to the provider's URL
   * @param query without keys
   * @throws ProviderUnavailableError if it does not return JSON in time, or if its circuit breaker is open
   */
  (
    provider: DataProvider,
    path: string,
    query?: Readonly<Record<string, string>>,
    options?: ProviderFetchOptions,
  ): Promise<unknown>
}

/**
 * `acceptsMissing`: status 404 is not a failure. The result is `undefined` then. `body` is sent as JSON with POST instead of
 * GET.
 */
export type ProviderFetchOptions = { acceptsMissing?: boolean; body?: object }

const defaultTimeoutMs = 10_000
const maxResponseBytes = 10 * 1024 * 1024
/** Statuses that concern the address or the chain of a request. */
const refusals: readonly number[] = [400, 404, 422]

const homes: Readonly<Record<DataProvider['kind'], string>> = {
  blockscout: '',
  etherscan: 'https://api.etherscan.io/v2/api',
  goldrush: 'https://api.covalenthq.com/v1',
  coingecko: 'https://pro-api.coingecko.com/api/v3',
  esplora: '',
  electrum: '',
  subscan: '',
}

/**
 * Creates the function that sends requests to providers, with a circuit breaker for each provider.
 *
 * @param timeoutMs of each request, in milliseconds
 */
export function createProviderFetch(clock: Clock, timeoutMs = defaultTimeoutMs): ProviderFetch {
  const breakers = new Map<DataProvider, CircuitBreaker>()

  return async (provider, path, query = {}, options = {}) => {
    const breaker = breakers.get(provider) ?? createCircuitBreaker(clock)
    breakers.set(provider, breaker)
    const { kind } = provider
    if (!breaker.allowsRequests()) throw new ProviderUnavailableError(`${kind} failed too often recently.`)
    let ok = false
    try {
      const result = await fetchFromProvider(provider, path, query, { ...options, timeoutMs })
      ok = true
      return result
    } catch (error) {
      // Clients choose the addresses, and must not be able to open the circuit breaker.
      ok = error instanceof RequestRefusedError
      // The cause is left out, because it may contain the whole URL.
      throw error instanceof ProviderUnavailableError
        ? error
        : new ProviderUnavailableError(`${kind} is not available.`)
    } finally {
      breaker.record(ok)
    }
  }
}

async function fetchFromProvider(
  provider: DataProvider,
  path: string,
  query: Readonly<Record<string, string>>,
  { acceptsMissing = false, body, timeoutMs }: ProviderFetchOptions & { timeoutMs: number },
): Promise<unknown> {
  const { kind, url = homes[kind], key } = provider
  const address = new URL(`${url.replace(/\/+$/, '')}${path}`)
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
  // These two accept their key only in the query.
  if (key !== undefined && (kind === 'etherscan' || kind === 'blockscout')) address.searchParams.set('apikey', key)
  const response = await fetch(address, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...toKeyHeader(provider),
    },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!response.ok) {
    await response.body?.cancel()
    if (acceptsMissing && response.status === 404) return undefined
    const Refusal = refusals.includes(response.status) ? RequestRefusedError : ProviderUnavailableError
    throw new Refusal(`${kind} responded with status ${response.status}.`)
  }
  return JSON.parse(await readBody(response))
}

function toKeyHeader({ kind, key }: DataProvider): Record<string, string> {
  if (key === undefined) return {}
  if (kind === 'goldrush') return { authorization: `Bearer ${key}` }
  if (kind === 'subscan') return { 'x-api-key': key }
  return kind === 'coingecko' ? { 'x-cg-pro-api-key': key } : {}
}

async function readBody(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxResponseBytes) throw new Error('The response is too large.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
