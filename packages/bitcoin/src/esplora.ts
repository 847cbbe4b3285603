import { systemClock, type Clock } from '@latchkey/core'
import { LatchkeyError, type Network } from '@latchkey/protocol'

/** How long a source may take, in milliseconds. */
const answerMilliseconds = 10_000

type Question = { path: string; body?: string }

/**
 * Asks the sources of a network, one after the other until one answers: HTTP services of the Esplora kind, as
 * mempool.space and blockstream.info are.
 *
 * @returns the text of the answer; undefined when the source says that there is no such thing.
 * @throws LatchkeyError `rpc/unreachable` when none answers, `rpc/failed` with the reason of a source that refuses.
 */
export async function askSource(
  { name, rpcUrls }: Network,
  { path, body }: Question,
  clock: Clock = systemClock,
): Promise<string | undefined> {
  let cause: unknown
  for (const url of rpcUrls.default.http) {
    const attempt = new AbortController()
    const cancel = clock.after(answerMilliseconds, () => attempt.abort())
    try {
      const method = body === undefined ? 'GET' : 'POST'
      const response = await fetch(`${url.replace(/\/+$/, '')}/${path}`, { method, body, signal: attempt.signal })
      const text = await response.text()
      if (response.ok) return text
      if (response.status === 404) return undefined
      if (response.status === 400) throw refusalOf(name, path, text)
      cause = new LatchkeyError('http/status', { status: response.status })
    } catch (error) {
      if (error instanceof LatchkeyError) throw error
      cause = error
    } finally {
      cancel()
    }
  }
  throw new LatchkeyError('rpc/unreachable', { network: name }, { cause })
}

/** A transaction that breaks a rule breaks it for every source. */
function refusalOf(network: string, method: string, text: string): LatchkeyError {
  const reason = text.replaceAll(/\s+/g, ' ').slice(0, 200)
  return new LatchkeyError(
    'rpc/failed',
    { network, method, code: 400, reason },
    {
      sentence: `${network} refused it: ${reason}`,
    },
  )
}

/**
 * Waits for what a source tells in JSON; undefined when it says that there is no such thing.
 *
 * @throws LatchkeyError `rpc/unreachable`: an answer that is no JSON is none of such a service.
 */
export async function readSource(network: Network, path: string, clock: Clock | undefined): Promise<unknown> {
  const text = await askSource(network, { path }, clock)
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new LatchkeyError('rpc/unreachable', { network: network.name }, { cause })
  }
}

/** A field of an answer that may be anything. */
export function fieldOf(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, name) : undefined),
    value,
  )
}
