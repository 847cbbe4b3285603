import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChildEvents } from '../processes/startChild.ts'
import { openSite } from '../sites/sites.ts'
import { handleJsonRpc } from '../solana/jsonRpc.ts'
import { isBundlerInstalled } from './installBundler.ts'
import { paymasterMethods, type PaidChain } from './paymaster.ts'
import { startBundler, type Bundler } from './startBundler.ts'

/** The services of smart accounts: bundlers, started with their first request, and a paymaster. */
export type SmartServices = {
  /** The URL of a chain's bundler. GET returns `{ status: 'running' | 'starting' | 'stopped' }` to any page, and starts nothing. */
  bundlerUrl(chainId: number): string
  paymasterUrl: string
  /** Starts the bundlers early if they are installed. Never fails and never installs. */
  warm(): Promise<void>
  close(): Promise<void>
}

export type SmartServicesOptions = ChildEvents & {
  chains: readonly PaidChain[]
  /** 0 selects a free port. */
  port?: number
  /** Called with a sentence about long or failed operations. */
  onProgress?(sentence: string): void
  /** How long the first request waits for the bundler, in milliseconds. */
  startTimeoutMs?: number
  /** Starts a bundler; the real one by default. */
  start?: typeof startBundler
}

const bodyBytes = 1024 * 1024

/**
 * Starts the endpoints of bundlers and paymaster. Bundlers are installed and started with the first request for their chain.
 *
 * @throws Error if the port is in use
 * @example const services = await startSmartServices({ chains }); services.bundlerUrl(31337)
 */
export async function startSmartServices(options: SmartServicesOptions): Promise<SmartServices> {
  const { chains, port = 0, onProgress, startTimeoutMs = 20_000, start = startBundler, ...events } = options
  const stop = new AbortController()
  const signal = events.signal === undefined ? stop.signal : AbortSignal.any([events.signal, stop.signal])
  const bundlers = new Map<number, Promise<Bundler>>()
  const ready = new Set<number>()
  const bundlerOf = ({ chainId, rpcUrl, smartAccounts }: PaidChain): Promise<Bundler> => {
    const known = bundlers.get(chainId)
    if (known !== undefined) return known
    const { entryPoints } = smartAccounts
    // The next request restarts a bundler that exited.
    const forget = (): void => {
      ready.delete(chainId)
      bundlers.delete(chainId)
    }
    const onExit = (name: string, reason: string): void => {
      forget()
      events.onExit?.(name, reason)
    }
    const starting = start({ chainId, rpcUrl, entryPoints, onProgress, ...events, onExit, signal })
    bundlers.set(chainId, starting)
    starting
      .then(() => ready.add(chainId))
      .catch((error: unknown) => {
        forget()
        if (!signal.aborted) onProgress?.(error instanceof Error ? error.message : String(error))
      })
    return starting
  }

  const site = await openSite(port)
  const findBundler = (chainId: number): BundlerState => ({
    isReady: ready.has(chainId),
    isStarted: bundlers.has(chainId),
  })
  site.respond(createResponder({ chains, startTimeoutMs, findBundler, startBundler: bundlerOf }))
  return {
    bundlerUrl: (chainId) => `${site.url}/bundler/${chainId}`,
    paymasterUrl: `${site.url}/paymaster`,
    async warm() {
      if (await isBundlerInstalled().catch(() => false)) await Promise.allSettled(chains.map(bundlerOf))
    },
    async close() {
      stop.abort()
      await site.close()
      const started = await Promise.allSettled(bundlers.values())
      await Promise.all(started.map((one) => one.status === 'fulfilled' && one.value.close()))
    },
  }
}

type BundlerState = { isReady: boolean; isStarted: boolean }

type ResponderDependencies = {
  chains: readonly PaidChain[]
  startTimeoutMs: number
  findBundler(chainId: number): BundlerState
  startBundler(chain: PaidChain): Promise<Bundler>
}

/** Handles the requests to the bundlers and the paymaster. */
function createResponder({ chains, startTimeoutMs, findBundler, startBundler: start }: ResponderDependencies) {
  const methods = paymasterMethods(chains, Date.now)
  const inclusions = createInclusions()
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await readBody(request)
    response.setHeader('content-type', 'application/json')
    const chain = chains.find(({ chainId }) => request.url === `/bundler/${chainId}`)
    if (request.method === 'GET' && chain !== undefined) respondBundlerState(response, findBundler(chain.chainId))
    else if (request.method !== 'POST' || text === undefined) response.writeHead(400).end()
    else if (request.url === '/paymaster') response.end(await handleJsonRpc(text, methods))
    else if (chain === undefined) response.writeHead(404).end()
    else {
      const result = await askBundler(() => start(chain), text, startTimeoutMs)
      await inclusions.record(chain, text, result)
      response.end(result)
    }
  }
  return (request: IncomingMessage, response: ServerResponse): void => void respond(request, response)
}

/**
 * Mines an empty block after each included operation.
 *
 * Wallets pay twice the suggested tip for an operation, and the local node suggests the lowest tip of the latest block. Without
 * a block in between, the price would double with each operation.
 */
function createInclusions() {
  const known = new Set<string>()
  return {
    async record({ rpcUrl }: PaidChain, request: string, response: string): Promise<void> {
      if (!request.includes('"eth_getUserOperationReceipt"')) return
      const [hash] = /(?<="userOpHash":")0x[0-9a-f]{64}/i.exec(response) ?? []
      if (hash === undefined || known.has(hash)) return
      known.add(hash)
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] })
      await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).catch(
        () => undefined,
      )
    },
  }
}

/** Responds without starting the bundler, to any page. */
function respondBundlerState(response: ServerResponse, { isReady, isStarted }: BundlerState): void {
  const state = isStarted ? 'starting' : 'stopped'
  response.setHeader('access-control-allow-origin', '*')
  response.end(JSON.stringify({ status: isReady ? 'running' : state }))
}

async function askBundler(start: () => Promise<Bundler>, text: string, startTimeoutMs: number): Promise<string> {
  try {
    const bundler = await Promise.race([start(), sleep(startTimeoutMs, undefined, { ref: false })])
    if (bundler === undefined) return refusal(text, 'The bundler is being set up, try again in a minute.')
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(bundler.url, { method: 'POST', headers, body: text })
    return await response.text()
  } catch (error) {
    return refusal(text, error instanceof Error ? error.message : 'The bundler does not respond.')
  }
}

function refusal(text: string, message: string): string {
  let id: unknown = null
  try {
    id = Reflect.get(Object(JSON.parse(text)), 'id') ?? null
  } catch {
    // A request without a valid id gets a response with the id null.
  }
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message } })
}

/** Returns `undefined` if the body is larger than an operation may be. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of request as AsyncIterable<Uint8Array>) {
      length += chunk.length
      if (length > bodyBytes) return undefined
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString('utf8')
  } catch {
    return undefined
  }
}
