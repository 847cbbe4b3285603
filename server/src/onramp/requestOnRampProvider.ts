import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Problem } from '../kit/http/problem.ts'

const timeoutMs = 8_000
const maxResponseCharacters = 4 * 1024 * 1024

export type OnRampRequest = { method?: 'GET' | 'POST'; headers: Readonly<Record<string, string>>; body?: object }

/**
 * Sends a request to an on-ramp provider and parses its response.
 *
 * @param name what users call the provider
 * @throws Problem 503 `provider` unless the provider sends a response that matches the schema. It names no part of the
 *   request, which contains keys
 */
export async function requestOnRampProvider<schema extends TSchema>(
  name: string,
  url: URL,
  { method = 'GET', headers, body }: OnRampRequest,
  schema: schema,
): Promise<Static<schema>> {
  const response = await fetch(url, {
    method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? null : JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
    .then(async (received) => ({ ok: received.ok, text: await received.text() }))
    .catch(() => undefined)
  const isUsable = response?.ok === true && response.text.length <= maxResponseCharacters
  // Members that the schema does not name never reach our own responses.
  const value = isUsable ? Value.Clean(schema, parseJsonOrUndefined(response.text)) : undefined
  if (!Value.Check(schema, value)) {
    throw new Problem(503, 'provider', `${name} is not available right now. Try again later.`)
  }
  return value
}

function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
