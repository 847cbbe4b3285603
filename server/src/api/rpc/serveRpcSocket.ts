import type { WebSocket } from 'ws'
import type { Chain } from '../../kit/chain/chains.ts'
import { parseJson } from '../../kit/http/parseJson.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { RpcError, RpcRequest } from './rpcPolicy.ts'
import { rpcFailure, isRpcRequest, type RpcResponder } from './rpcResponder.ts'

export type RpcSocketDependencies = {
  socket: WebSocket
  /** The connection to a node that serves the subscriptions. */
  upstream: WebSocket
  chain: Chain
  responder: RpcResponder
  /** Counts a request of the client. False if it has none left. */
  takeToken(): boolean
}

const subscriptionKinds: readonly unknown[] = ['newHeads', 'logs', 'newPendingTransactions', 'syncing']
const limits = { batch: 20, subscriptions: 50, bufferedBytes: 4 * 1024 * 1024, pendingFrames: 64 } as const

/**
 * Serves one connection. Subscriptions use the connection's own connection to a node; all other requests are handled as
 * over HTTP.
 */
export function serveRpcSocket({ socket, upstream, chain, responder, takeToken }: RpcSocketDependencies): void {
  let pendingFrames = 0

  function send(message: unknown): void {
    if (socket.readyState !== socket.OPEN) return
    socket.send(JSON.stringify(message))
    if (socket.bufferedAmount > limits.bufferedBytes) socket.close(1013, 'Too slow')
  }

  const forwardSubscription = createSubscriptions(upstream, send)

  /** Requests of a frame that need a node reach it as one batch. */
  async function respondAll(items: readonly unknown[]): Promise<readonly unknown[]> {
    const own = new Map<unknown, object | undefined>()
    for (const item of items) {
      if (!takeToken()) own.set(item, rpcFailure(getRequestId(item), tooManyRequestsError))
      else if (isRpcRequest(item) && isSubscriptionRequest(item)) own.set(item, forwardSubscription(item))
    }
    const others = items.filter((item) => !own.has(item))
    const responses = await respondWithNode(others)
    const byItem = new Map(others.map((item, index) => [item, responses[index]]))
    return items.map((item) => (own.has(item) ? own.get(item) : byItem.get(item)))
  }

  async function respondWithNode(items: readonly unknown[]): Promise<readonly unknown[]> {
    if (items.length === 0) return []
    try {
      return await responder.respondAll(chain, items)
    } catch (error) {
      const message = error instanceof Problem ? error.message : 'Internal error'
      return items.map((item) => rpcFailure(getRequestId(item), { code: -32603, message }))
    }
  }

  async function handleFrame(text: string): Promise<void> {
    const frame = parseFrame(text)
    if (frame === undefined) return send(rpcFailure(null, { code: -32700, message: 'Parse error' }))
    const items: readonly unknown[] = Array.isArray(frame) ? frame : [frame]
    if (items.length === 0 || items.length > limits.batch) return send(rpcFailure(null, batchSizeError))
    const responses = (await respondAll(items)).filter((each) => each !== undefined)
    if (Array.isArray(frame) && responses.length > 0) send(responses)
    else responses.forEach(send)
  }

  socket.on('message', (data, isBinary) => {
    if (isBinary) return socket.close(1003, 'Text only')
    pendingFrames += 1
    // A client that sends faster than the chain responds is slowed down.
    if (pendingFrames >= limits.pendingFrames) socket.pause()
    void handleFrame(String(data)).finally(() => {
      pendingFrames -= 1
      if (socket.isPaused) socket.resume()
    })
  })
  linkSockets(socket, upstream)
}

/**
 * Forwards subscription requests to a node under our own ids, and its responses and notifications back.
 *
 * @returns a function that forwards a request, or returns the failure of a request that is not forwarded
 */
function createSubscriptions(
  upstream: WebSocket,
  send: (message: unknown) => void,
): (request: RpcRequest) => object | undefined {
  const pending = new Map<number, RpcRequest>()
  const subscriptions = new Set<unknown>()
  let lastId = 0

  upstream.on('message', (data) => {
    const message = parseFrame(String(data))
    if (typeof message !== 'object' || message === null) return
    const { id, method, result } = message as { id?: unknown; method?: unknown; result?: unknown }
    if (method === 'eth_subscription') return send(message)
    const request = typeof id === 'number' ? pending.get(id) : undefined
    if (request === undefined) return
    pending.delete(Number(id))
    if (request.method === 'eth_subscribe' && result !== undefined) subscriptions.add(result)
    if (request.method === 'eth_unsubscribe') subscriptions.delete([request.params].flat()[0])
    send({ ...message, id: request.id })
  })

  return (request) => {
    const { id, method, params } = request
    const [kind] = Array.isArray(params) ? params : []
    const isSubscribing = method === 'eth_subscribe'
    if (isSubscribing && !subscriptionKinds.includes(kind)) return rpcFailure(id, unknownSubscriptionError)
    const count = pending.size + (isSubscribing ? subscriptions.size : 0)
    if (count >= limits.subscriptions) return rpcFailure(id, tooManySubscriptionsError)
    pending.set((lastId += 1), request)
    upstream.send(JSON.stringify({ ...request, id: lastId }))
    return undefined
  }
}

const tooManySubscriptionsError: RpcError = {
  code: -32005,
  message: `A connection has at most ${limits.subscriptions} subscriptions.`,
}
const tooManyRequestsError: RpcError = { code: -32005, message: 'Too many requests.' }
const batchSizeError: RpcError = { code: -32600, message: `A batch has 1 to ${limits.batch} requests.` }
const unknownSubscriptionError: RpcError = {
  code: -32602,
  message: `Invalid params: one of ${subscriptionKinds.join(', ')} comes first.`,
}

/** Closes the client's connection when the node's ends, so that the client reconnects and gets another node. */
function linkSockets(socket: WebSocket, upstream: WebSocket): void {
  // The libraries close the connections. Without a listener an error would end the process.
  for (const each of [socket, upstream]) each.on('error', () => undefined)
  socket.on('close', () => upstream.terminate())
  upstream.on('close', () => {
    if (socket.readyState === socket.OPEN) socket.close(1012, 'The chain is unreachable')
  })
}

function isSubscriptionRequest({ method }: RpcRequest): boolean {
  return method === 'eth_subscribe' || method === 'eth_unsubscribe'
}

function getRequestId(item: unknown): RpcRequest['id'] {
  return isRpcRequest(item) ? item.id : null
}

function parseFrame(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
