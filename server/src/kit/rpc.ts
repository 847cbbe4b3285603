/** A JSON-RPC answer of a chain's endpoint, as it came. */
export type RpcAnswer = { id: unknown; result?: unknown; error?: unknown }

/** No endpoint of a chain gave an answer. */
export class NoEndpoint extends Error {}

const timeoutMilliseconds = 10_000
const answerBytes = 10 * 1024 * 1024
/** Codes that say that the endpoint, not the question, is at fault: another one may do better. */
const endpointFaults: readonly unknown[] = [-32005, -32603, 429]

/**
 * Puts one JSON-RPC body to endpoints in turn, until one answers.
 *
 * @param urls tried in order; give one only for what must not be done twice
 * @throws NoEndpoint when none answers
 */
export async function askEndpoints(urls: readonly string[], body: unknown): Promise<unknown> {
  let cause: unknown
  for (const url of urls) {
    try {
      const answer = await post(url, body)
      if (!blamesEndpoint(answer) || url === urls.at(-1)) return answer
    } catch (error) {
      cause = error
    }
  }
  throw new NoEndpoint('No endpoint answers.', { cause })
}

async function post(url: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMilliseconds),
  })
  if (response.status >= 500 || response.status === 429) {
    await response.body?.cancel()
    throw new Error(`The endpoint answered ${response.status}.`)
  }
  return JSON.parse(await readText(response))
}

/** Reads no more than a node may reasonably say. */
async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > answerBytes) throw new Error('The endpoint said too much.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function blamesEndpoint(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null) return false
  const error: unknown = Reflect.get(answer, 'error')
  return typeof error === 'object' && error !== null && endpointFaults.includes(Reflect.get(error, 'code'))
}
