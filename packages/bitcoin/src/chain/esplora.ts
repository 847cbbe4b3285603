import { fetchFirst } from '@latchkey/adapter-kit'
import type { Clock } from '@latchkey/core'
import { LatchkeyError, type Network, httpError, networkError } from '@latchkey/protocol'

type EsploraRequest = { path: string; body?: string }

/**
 * Asks the sources of a network in order until one responds. Sources are HTTP services with the Esplora interface, such
 * as mempool.space and blockstream.info.
 *
 * @returns the body of the response, or `undefined` if the source does not know the address or transaction
 * @throws LatchkeyError `rpc/unreachable` if no source responds, `rpc/failed` with the reason if a source refuses
 */
export function requestEsplora(
  network: Network,
  { path, body }: EsploraRequest,
  clock: Clock | undefined,
): Promise<string | undefined> {
  return fetchFirst(network, clock, async (url, signal) => {
    const method = body === undefined ? 'GET' : 'POST'
    const response = await fetch(`${url.replace(/\/+$/, '')}/${path}`, { method, body, signal })
    const text = await response.text()
    if (response.ok) return text
    if (response.status === 404) return undefined
    if (response.status === 400) throw toEsploraError(network.name, path, text)
    throw httpError('http/status', { status: response.status })
  })
}

/** A transaction that breaks a rule breaks it for every source, so the next source is not asked. */
function toEsploraError(network: string, method: string, text: string): LatchkeyError<'rpc/failed'> {
  const reason = text.replaceAll(/\s+/g, ' ').slice(0, 200)
  const sentence = `${network} refused the transaction: ${reason}`
  return new LatchkeyError('rpc/failed', { network, method, code: 400, reason }, { sentence })
}

/**
 * Asks the sources of a network for JSON.
 *
 * @returns the value, or `undefined` if the source does not know the address or transaction
 * @throws LatchkeyError `rpc/unreachable`, including if the response is not JSON: the URL is not an Esplora service
 */
export async function requestEsploraJson(network: Network, path: string, clock: Clock | undefined): Promise<unknown> {
  const text = await requestEsplora(network, { path }, clock)
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw networkError('rpc/unreachable', { network: network.name }, { cause })
  }
}
