/** No endpoint of a chain gave an answer. */
export class NoEndpoint extends Error {}

/** What an endpoint is given where there may be another one, in milliseconds. */
const endpointPatience = 10_000
const answerBytes = 10 * 1024 * 1024
/** Codes that say that the endpoint, not the question, is at fault: another one may do better. */
const endpointFaults: readonly unknown[] = [-32005, -32603, 429]

/**
 * Puts one JSON-RPC request, or a batch of them, to an endpoint.
 *
 * @param patience how long this endpoint may take, in milliseconds
 * @throws Error when it does not answer in time, or something else than an answer to this question
 */
export async function askEndpoint(
  url: string,
  body: unknown,
  deadline: AbortSignal,
  patience = endpointPatience,
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.any([deadline, AbortSignal.timeout(patience)]),
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

/** Whether an answer says that the endpoint, not the question, is at fault. */
export function blamesEndpoint(answer: unknown): boolean {
  return endpointFaults.includes(read(read(answer, 'error'), 'code'))
}

function read(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}
