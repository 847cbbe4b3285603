import type { WebSocket } from 'ws'
import type { Chain } from '../../kit/chains.ts'
import { parseJson } from '../../kit/json.ts'
import { Problem } from '../../kit/problem.ts'
import type { TokenBucket } from '../../kit/tokenBucket.ts'
import type { Refusal, RpcRequest } from './allowance.ts'
import { failure, isRequest, type Answering } from './answering.ts'

export type RpcSocketParts = {
  socket: WebSocket
  /** The connection to a node that subscriptions live on. */
  upstream: WebSocket
  chain: Chain
  answering: Answering
  bucket: TokenBucket
}

const kinds: readonly unknown[] = ['newHeads', 'logs', 'newPendingTransactions', 'syncing']
const most = { batch: 20, subscriptions: 50, keys: 1_000, waiting: 4 * 1024 * 1024, unanswered: 64 } as const

/** Serves one connection: subscriptions by a node's connection of its own, all other questions like those over HTTP. */
export function serveRpcSocket({ socket, upstream, chain, answering, bucket }: RpcSocketParts): void {
  /** Questions to the node, by the number that they were put under. */
  const asked = new Map<number, RpcRequest>()
  const subscriptions = new Set<unknown>()
  let lastId = 0
  let unanswered = 0

  function tell(message: unknown): void {
    if (socket.readyState !== socket.OPEN) return
    socket.send(JSON.stringify(message))
    if (socket.bufferedAmount > most.waiting) socket.close(1013, 'Too slow')
  }

  function subscribe(request: RpcRequest): object | undefined {
    const { id, method, params } = request
    const [kind] = Array.isArray(params) ? params : []
    if (method === 'eth_subscribe' && !kinds.includes(kind)) return failure(id, noSuchSubscription)
    const held = asked.size + (method === 'eth_subscribe' ? subscriptions.size : 0)
    if (held >= most.subscriptions) {
      return failure(id, { code: -32005, message: `A connection has at most ${most.subscriptions} subscriptions.` })
    }
    asked.set((lastId += 1), request)
    upstream.send(JSON.stringify({ ...request, id: lastId }))
    return undefined
  }

  async function answer(item: unknown): Promise<unknown> {
    if (!bucket.take().ok) return failure(idOf(item), tooMany)
    if (isRequest(item) && isSubscribing(item)) return subscribe(item)
    try {
      return await answering.answer(chain, item)
    } catch (error) {
      return failure(idOf(item), { code: -32603, message: error instanceof Problem ? error.message : 'Internal error' })
    }
  }

  async function received(text: string): Promise<void> {
    const asked = read(text)
    if (asked === undefined) return tell(failure(null, { code: -32700, message: 'Parse error' }))
    const items: readonly unknown[] = Array.isArray(asked) ? asked : [asked]
    if (items.length === 0 || items.length > most.batch) return tell(failure(null, tooLong))
    const answers = (await Promise.all(items.map(answer))).filter((each) => each !== undefined)
    if (Array.isArray(asked) && answers.length > 0) tell(answers)
    else answers.forEach(tell)
  }

  socket.on('message', (data, isBinary) => {
    if (isBinary) return socket.close(1003, 'Text only')
    unanswered += 1
    // Who asks faster than a chain answers is read no faster.
    if (unanswered >= most.unanswered) socket.pause()
    void received(String(data)).finally(() => {
      unanswered -= 1
      if (socket.isPaused) socket.resume()
    })
  })
  upstream.on('message', (data) => {
    const told = read(String(data))
    if (typeof told !== 'object' || told === null) return
    const { id, method, result } = told as { id?: unknown; method?: unknown; result?: unknown }
    if (method === 'eth_subscription') return tell(told)
    const request = typeof id === 'number' ? asked.get(id) : undefined
    if (request === undefined) return
    asked.delete(Number(id))
    if (request.method === 'eth_subscribe' && result !== undefined) subscriptions.add(result)
    if (request.method === 'eth_unsubscribe') subscriptions.delete([request.params].flat()[0])
    tell({ ...told, id: request.id })
  })
  joinEnds(socket, upstream)
}

const tooMany: Refusal = { code: -32005, message: 'Too many requests.' }
const tooLong: Refusal = { code: -32600, message: `A batch has 1 to ${most.batch} requests.` }
const noSuchSubscription: Refusal = { code: -32602, message: `Invalid params: one of ${kinds.join(', ')} comes first.` }

/** A client whose node went away is sent away, so that it comes again and is given another one. */
function joinEnds(socket: WebSocket, upstream: WebSocket): void {
  // The libraries end the connections themselves; without a listener an error would end the process.
  for (const each of [socket, upstream]) each.on('error', () => undefined)
  socket.on('close', () => upstream.terminate())
  upstream.on('close', () => {
    if (socket.readyState === socket.OPEN) socket.close(1012, 'The chain went away')
  })
}

function isSubscribing({ method }: RpcRequest): boolean {
  return method === 'eth_subscribe' || method === 'eth_unsubscribe'
}

function idOf(item: unknown): RpcRequest['id'] {
  return isRequest(item) ? item.id : null
}

function read(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
