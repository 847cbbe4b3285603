import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { AddressInfo, Server } from 'node:net'

/** A request that a fake push service received. */
export type RecordedRequest = { method: string; path: string; headers: IncomingHttpHeaders; body: Buffer }

/** A response that a fake push service gives. */
export type PlannedResponse = {
  status: number
  headers?: Readonly<Record<string, string>>
  body?: string
  /** Delays the response until it resolves. */
  after?: Promise<unknown>
}

/** The requests of a fake push service, and its next responses. */
export type RecordedRequests = {
  readonly requests: readonly RecordedRequest[]
  /** The next responses, in order; after them, the service accepts everything. */
  respondWith(...responses: readonly PlannedResponse[]): void
  /** Resolves when there are `count` requests. */
  received(count: number): Promise<readonly RecordedRequest[]>
  readonly listener: RequestListener
}

/** Records the requests of a server. */
export function recordRequests(accepted: PlannedResponse): RecordedRequests {
  const requests: RecordedRequest[] = []
  const planned: PlannedResponse[] = []
  const watchers = new Set<() => void>()

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = '', url: path = '', headers } = request
    requests.push({ method, path, headers, body: Buffer.concat(chunks) })
    for (const watcher of watchers) watcher()
    const { status, headers: added, body, after } = planned.shift() ?? accepted
    await after
    response.writeHead(status, added).end(body)
  }

  return {
    requests,
    respondWith: (...responses) => void planned.push(...responses),
    received: (count) =>
      new Promise((resolve) => {
        const watch = (): void => {
          if (requests.length < count) return
          watchers.delete(watch)
          resolve(requests)
        }
        watchers.add(watch)
        watch()
      }),
    listener: (request, response) => void serve(request, response),
  }
}

/** Listens on a free port of this machine. @returns the port */
export async function listenLocally(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this form.
  return (server.address() as AddressInfo).port
}
