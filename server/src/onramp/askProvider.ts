import type { z } from 'zod'
import { Problem } from '../kit/problem.ts'

const patience = 8_000
const mostBytes = 4 * 1024 * 1024

export type ProviderRequest = { method?: 'GET' | 'POST'; headers: Readonly<Record<string, string>>; body?: object }

/**
 * Asks a provider, and reads what it answers.
 *
 * @throws Problem 503 `provider` for anything but an answer of the expected form. Nothing of the request is told: it has keys
 */
export async function askProvider<answer>(
  name: string,
  url: URL,
  { method = 'GET', headers, body }: ProviderRequest,
  schema: z.ZodType<answer>,
): Promise<answer> {
  const told = await fetch(url, {
    method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? null : JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(patience),
  })
    .then(async (response) => ({ ok: response.ok, text: await response.text() }))
    .catch(() => undefined)
  const parsed = told?.ok === true && told.text.length <= mostBytes ? schema.safeParse(parse(told.text)) : undefined
  if (parsed?.success !== true) throw new Problem(503, 'provider', `${name} does not answer this now. Try again later.`)
  return parsed.data
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
