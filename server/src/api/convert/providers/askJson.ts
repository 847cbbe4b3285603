import type { Breaker } from '../../../kit/breaker.ts'
import { Problem } from '../../../kit/problem.ts'

const patience = 10_000
const answerBytes = 1024 * 1024

/**
 * Asks a provider. Its words never leave this place: they may repeat the key.
 *
 * @throws Problem 400 when it does not take the question; Error when it does not answer in time, or failed too often lately
 */
export async function askJson(url: URL, headers: Readonly<Record<string, string>>, breaker: Breaker): Promise<unknown> {
  if (!breaker.isOpen()) throw new Error(`${url.host} failed too often lately.`)
  let isWell = false
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json', ...headers },
      redirect: 'error',
      signal: AbortSignal.timeout(patience),
    }).catch(() => {
      throw new Error(`${url.host} does not answer.`)
    })
    isWell = response.ok || response.status === 400 || response.status === 422
    if (!response.ok) {
      await response.body?.cancel()
      if (isWell) throw new Problem(400, '', 'The provider of swaps does not take this question.')
      throw new Error(`${url.host} answers ${response.status}.`)
    }
    const answer = await readJson(response).catch(() => undefined)
    isWell = answer !== undefined
    if (answer === undefined) throw new Error(`${url.host} does not answer with JSON.`)
    return answer
  } finally {
    breaker.note(isWell)
  }
}

async function readJson(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > answerBytes) throw new Error('It said too much.')
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}
