import { createBreaker, type Breaker } from '../../kit/breaker.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Provider } from '../../kit/provider.ts'

/** A provider did not tell. Its words name nothing but the kind of provider: addresses may hold keys. */
export class ProviderSilent extends Error {
  override readonly name: string = 'ProviderSilent'
}

/** Puts a question to a provider. */
export type AskProvider = {
  /**
   * @param path after the provider's address, with the query that is no secret
   * @throws ProviderSilent when it does not answer with JSON in time, or failed too often lately
   */
  (provider: Provider, path: string, query?: Readonly<Record<string, string>>): Promise<unknown>
}

const patience = 10_000
const answerBytes = 10 * 1024 * 1024

const homes: Readonly<Record<Provider['kind'], string>> = {
  blockscout: '',
  etherscan: 'https://api.etherscan.io/v2/api',
  goldrush: 'https://api.covalenthq.com/v1',
  coingecko: 'https://pro-api.coingecko.com/api/v3',
}

/** Makes what asks providers, with a breaker for each of them. */
export function createAskProvider(clock: Clock): AskProvider {
  const breakers = new Map<Provider, Breaker>()

  return async (provider, path, query = {}) => {
    const breaker = breakers.get(provider) ?? createBreaker(clock)
    breakers.set(provider, breaker)
    const { kind } = provider
    if (!breaker.isOpen()) throw new ProviderSilent(`${kind} failed too often lately.`)
    let ok = false
    try {
      const answer = await ask(provider, path, query)
      ok = true
      return answer
    } catch (error) {
      // The cause stays out: it may say the whole address.
      throw error instanceof ProviderSilent ? error : new ProviderSilent(`${kind} does not answer.`)
    } finally {
      breaker.note(ok)
    }
  }
}

async function ask(provider: Provider, path: string, query: Readonly<Record<string, string>>): Promise<unknown> {
  const { kind, url = homes[kind], key } = provider
  const address = new URL(`${url.replace(/\/+$/, '')}${path}`)
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
  // These two take their key nowhere else.
  if (key !== undefined && (kind === 'etherscan' || kind === 'blockscout')) address.searchParams.set('apikey', key)
  const response = await fetch(address, {
    headers: { accept: 'application/json', ...keyHeader(provider) },
    redirect: 'error',
    signal: AbortSignal.timeout(patience),
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new ProviderSilent(`${kind} answers ${response.status}.`)
  }
  return JSON.parse(await readText(response))
}

function keyHeader({ kind, key }: Provider): Record<string, string> {
  if (key === undefined) return {}
  if (kind === 'goldrush') return { authorization: `Bearer ${key}` }
  return kind === 'coingecko' ? { 'x-cg-pro-api-key': key } : {}
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > answerBytes) throw new Error('It said too much.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
