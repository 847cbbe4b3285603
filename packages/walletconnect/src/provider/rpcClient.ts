import type { Clock } from '@latchkey/core'
import { isLatchkeyError, type ChainId, type Network, httpError, configError, networkError } from '@latchkey/protocol'
import { providerError } from './providerError.ts'
import { isUnknownRecord, tryParseJson, type UnknownRecord } from '../primitives/unknownRecord.ts'

/** A request to a wallet or a node. */
export type RpcRequest = { method: string; params?: unknown }

/** The endpoints of chains, best first. */
export type RpcUrls = { readonly [chainId: ChainId]: string | readonly string[] }

export type RpcOptions = {
  /** The networks of the app, with their endpoints in `rpcUrls.default`. */
  networks?: readonly Network[]
  /** The app's own endpoints, preferred to those of the networks. */
  rpcUrls?: RpcUrls
  /** Defaults to the platform's. */
  fetch?: typeof globalThis.fetch
}

/** Reads chains from nodes. */
export type RpcClient = {
  /**
   * Sends a request to a node. Tries the next endpoint if one fails.
   *
   * @throws LatchkeyError `network/not-found` if the chain has no endpoint, `rpc/failed` with the node's own error,
   * `rpc/unreachable` if no endpoint responds
   */
  request(chainId: ChainId, request: RpcRequest): Promise<unknown>
  /** Makes an endpoint the first of a chain. @throws LatchkeyError `config/invalid` */
  prefer(chainId: ChainId, url: string): void
}

/** The error codes of a failing endpoint: internal error, unavailable, limit exceeded. */
const endpointErrorCodes: readonly unknown[] = [-32_603, -32_002, -32_005, 429]

const responseTimeoutMs = 10_000

/**
 * Creates a client for JSON-RPC 2.0 over HTTP.
 *
 * @throws LatchkeyError `config/invalid` for an invalid endpoint
 */
export function createRpcClient(options: RpcOptions, clock: Clock): RpcClient {
  const { networks = [], rpcUrls = {}, fetch = globalThis.fetch } = options
  const endpoints = new Map<string, readonly string[]>()
  const post = createRpcPost(fetch, clock)

  for (const { caipNetworkId, rpcUrls: own } of networks) add(caipNetworkId, own.default.http)
  for (const [chainId, urls] of Object.entries(rpcUrls)) add(chainId, typeof urls === 'string' ? [urls] : urls)

  function add(chainId: string, urls: readonly string[]): void {
    if (!urls.every(isRpcEndpoint)) {
      const problem = `rpcUrls: an endpoint of ${chainId} is not an http(s) URL, or contains credentials`
      throw configError('config/invalid', { problems: [problem] })
    }
    endpoints.set(chainId, [...new Set([...urls, ...(endpoints.get(chainId) ?? [])])])
  }

  return {
    async request(chainId, request) {
      const urls = endpoints.get(chainId) ?? []
      if (urls.length === 0) throw networkError('network/not-found', { chainId })
      const network = networks.find(({ caipNetworkId }) => caipNetworkId === chainId)?.name ?? chainId
      let cause: unknown
      for (const url of urls) {
        try {
          return parseRpcResult(await post(url, request), request.method, network)
        } catch (error) {
          if (isLatchkeyError(error, 'rpc/failed') && !endpointErrorCodes.includes(error.context.code)) throw error
          cause = error
        }
      }
      if (isLatchkeyError(cause, 'rpc/failed')) throw cause
      throw networkError('rpc/unreachable', { network }, { cause })
    },
    prefer: (chainId, url) => add(chainId, [url]),
  }
}

/** Creates a function that sends one request to one endpoint and returns its JSON-RPC response. */
function createRpcPost(
  fetch: typeof globalThis.fetch,
  clock: Clock,
): (url: string, request: RpcRequest) => Promise<UnknownRecord> {
  let lastId = 0

  async function send(url: string, body: string): Promise<{ ok: boolean; status: number; text: string }> {
    const controller = new AbortController()
    const cancel = clock.after(responseTimeoutMs, () => controller.abort())
    try {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(url, { method: 'POST', headers, body, signal: controller.signal })
      return { ok: response.ok, status: response.status, text: await response.text() }
    } catch (cause) {
      throw httpError('http/unreachable', { origin: new URL(url).origin }, { cause })
    } finally {
      cancel()
    }
  }

  return async (url, { method, params = [] }) => {
    lastId += 1
    const { ok, status, text } = await send(url, JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params }))
    const response = tryParseJson(text)
    // Some nodes send an error with an error status.
    if (isUnknownRecord(response) && ('result' in response || 'error' in response)) return response
    throw ok ? httpError('http/invalid-response', { subject: method }) : httpError('http/status', { status })
  }
}

function isRpcEndpoint(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, username, password } = new URL(url)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

function parseRpcResult({ result, error }: UnknownRecord, method: string, network: string): unknown {
  if (!isUnknownRecord(error)) return result
  const code = typeof error.code === 'number' ? error.code : undefined
  const reason = String(error.message).slice(0, 300)
  throw providerError('rpc/failed', { network, method, code, reason }, { cause: error })
}
