import type { FakeExchange } from '@latchkey/core/fakes'
import { onTestFinished } from 'vitest'

/** Responds in place of a server with swaps until the test is over. Requests to other origins are sent. */
export function serveExchange(exchange: FakeExchange, origin: string): void {
  const { fetch } = globalThis
  onTestFinished(() => void (globalThis.fetch = fetch))
  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    return url.origin === origin ? respondWithExchange(exchange, url, init) : fetch(input, init)
  }
}

/** Returns the exchange's response to a request. */
export async function respondWithExchange(
  exchange: FakeExchange,
  url: URL,
  init: RequestInit | undefined,
): Promise<Response> {
  const body = typeof init?.body === 'string' ? JSON.parse(init.body) : {}
  const response = await exchange.respond({ path: url.pathname, query: Object.fromEntries(url.searchParams), body })
  return Response.json(response.body, { status: response.status ?? 200 })
}
