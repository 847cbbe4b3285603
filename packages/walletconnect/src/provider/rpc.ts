import type { Clock } from '@latchkey/core'
import { isLatchkeyError, LatchkeyError, type ChainId, type Network } from '@latchkey/protocol'
import { walletConnectError } from '../errors.ts'
import { isRecord, parseJson, type UnknownRecord } from '../parse.ts'

/** What is asked of a wallet or a node. */
export type RpcRequest = { method: string; params?: unknown }

/** Where chains are read, best endpoint first. */
export type RpcUrls = { readonly [chainId: ChainId]: string | readonly string[] }

export type RpcOptions = {
  /** The networks of the app: each is read at its `rpcUrls.default`. */
  networks?: readonly Network[]
  /** Endpoints of the app's own, which come before those of the networks. */
  rpcUrls?: RpcUrls
  /** The platform's by default. */
  fetch?: typeof globalThis.fetch
}

/** The nodes of the chains that an app reads. */
export type Rpc = {
  /**
   * Asks a node; the next endpoint where one fails.
   *
   * @throws LatchkeyError `network/not-found` when the chain has no endpoint, `rpc/failed` with the node's own error,
   * `rpc/unreachable` when no endpoint answers.
   */
  ask(chainId: ChainId, request: RpcRequest): Promise<unknown>
  /** Puts an endpoint before the others of a chain. @throws LatchkeyError `config/invalid`. */
  prefer(chainId: ChainId, url: string): void
}

/** What an endpoint answers when it is the endpoint that fails: internal error, unavailable, over its limit. */
const faultCodes: readonly unknown[] = [-32_603, -32_002, -32_005, 429]

/** How long an endpoint may take. */
const answerMilliseconds = 10_000

/**
 * Reads chains by JSON-RPC 2.0 over HTTP.
 *
 * @throws LatchkeyError `config/invalid` for an address that is none.
 */
export function createRpc(options: RpcOptions, clock: Clock): Rpc {
  const { networks = [], rpcUrls = {}, fetch = globalThis.fetch } = options
  const endpoints = new Map<string, readonly string[]>()
  let lastId = 0

  for (const { caipNetworkId, rpcUrls: own } of networks) add(caipNetworkId, own.default.http)
  for (const [chainId, urls] of Object.entries(rpcUrls)) add(chainId, typeof urls === 'string' ? [urls] : urls)

  function add(chainId: string, urls: readonly string[]): void {
    if (!urls.every(isEndpoint)) {
      const problem = `rpcUrls: an endpoint of ${chainId} is no http(s) address, or carries credentials`
      throw new LatchkeyError('config/invalid', { problems: [problem] })
    }
    endpoints.set(chainId, [...new Set([...urls, ...(endpoints.get(chainId) ?? [])])])
  }

  async function post(url: string, { method, params = [] }: RpcRequest): Promise<UnknownRecord> {
    lastId += 1
    const { ok, status, text } = await send(url, JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params }))
    const answer = parseJson(text)
    // Some nodes refuse a call with a status that is no success.
    if (isRecord(answer) && ('result' in answer || 'error' in answer)) return answer
    throw ok ? new LatchkeyError('http/invalid-answer', { what: method }) : new LatchkeyError('http/status', { status })
  }

  async function send(url: string, body: string): Promise<{ ok: boolean; status: number; text: string }> {
    const bound = new AbortController()
    const cancel = clock.after(answerMilliseconds, () => bound.abort())
    try {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(url, { method: 'POST', headers, body, signal: bound.signal })
      return { ok: response.ok, status: response.status, text: await response.text() }
    } catch (cause) {
      throw new LatchkeyError('http/unreachable', { origin: new URL(url).origin }, { cause })
    } finally {
      cancel()
    }
  }

  return {
    async ask(chainId, request) {
      const urls = endpoints.get(chainId) ?? []
      if (urls.length === 0) throw new LatchkeyError('network/not-found', { chainId })
      const network = networks.find(({ caipNetworkId }) => caipNetworkId === chainId)?.name ?? chainId
      let cause: unknown
      for (const url of urls) {
        try {
          return resultOf(await post(url, request), request.method, network)
        } catch (error) {
          if (isLatchkeyError(error, 'rpc/failed') && !faultCodes.includes(error.context.code)) throw error
          cause = error
        }
      }
      if (isLatchkeyError(cause, 'rpc/failed')) throw cause
      throw new LatchkeyError('rpc/unreachable', { network }, { cause })
    },
    prefer: (chainId, url) => add(chainId, [url]),
  }
}

function isEndpoint(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, username, password } = new URL(url)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

function resultOf({ result, error }: UnknownRecord, method: string, network: string): unknown {
  if (!isRecord(error)) return result
  const code = typeof error.code === 'number' ? error.code : undefined
  const reason = String(error.message).slice(0, 300)
  throw walletConnectError('rpc/failed', { network, method, code, reason }, { cause: error })
}
