/** No endpoint of a chain gave an answer. */
export class NoEndpoint extends Error {}

/** What the endpoints of a chain are given, in milliseconds: each one, and all of them together. */
const patience = { endpoint: 10_000, together: 20_000 } as const
const answerBytes = 10 * 1024 * 1024
/** Codes that say that the endpoint, not the question, is at fault: another one may do better. */
const endpointFaults: readonly unknown[] = [-32005, -32603, 429]

/**
 * Puts one JSON-RPC request, or a batch of them, to endpoints in turn until one answers it.
 *
 * @param urls tried in order; give one only for what must not be done twice
 * @returns the answer of the first endpoint that finds no fault with itself, else the first that answered at all
 * @throws NoEndpoint when none answers within 20 seconds
 */
export async function askEndpoints(urls: readonly string[], body: unknown): Promise<unknown> {
  const deadline = AbortSignal.timeout(patience.together)
  let faulty: unknown
  let cause: unknown
  for (const url of urls) {
    if (deadline.aborted) break
    try {
      const answer = await post(url, body, deadline)
      if (!blamesEndpoint(answer)) return answer
      faulty ??= answer
    } catch (error) {
      cause = error
    }
  }
  if (faulty !== undefined) return faulty
  throw new NoEndpoint('No endpoint answers.', { cause })
}

async function post(url: string, body: unknown, deadline: AbortSignal): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.any([deadline, AbortSignal.timeout(patience.endpoint)]),
  })
  if (response.status >= 500 || response.status === 429) {
    await response.body?.cancel()
    throw new Error(`The endpoint answered ${response.status}.`)
  }
  const answer: unknown = JSON.parse(await readText(response))
  if (!answers(answer, body)) throw new Error('The endpoint answered something else.')
  return answer
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

/** Whether this is an answer, and to this question. */
function answers(answer: unknown, question: unknown): boolean {
  if (Array.isArray(question)) return Array.isArray(answer)
  if (read(answer, 'result') === undefined && read(answer, 'error') === undefined) return false
  // A node that could not read the id answers null in its place.
  return read(answer, 'id') === read(question, 'id') || read(answer, 'id') === null
}

function blamesEndpoint(answer: unknown): boolean {
  return endpointFaults.includes(read(read(answer, 'error'), 'code'))
}

function read(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}
