import type { IncomingMessage, ServerResponse } from 'node:http'
import { createLazyService, type LazyService } from '../processes/createLazyService.ts'
import type { ChildEvents } from '../processes/startChild.ts'
import { forwardJsonRpc } from '../sites/forwardJsonRpc.ts'
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
  /** Timeout of the first request, which waits for the bundler, in milliseconds. */
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
  const { chains, port = 0, onProgress, startTimeoutMs, start = startBundler, ...events } = options
  const bundlers = new Map(
    chains.map(({ chainId, rpcUrl, smartAccounts: { entryPoints } }) => {
      const begin = (given: ChildEvents): Promise<Bundler> =>
        start({ chainId, rpcUrl, entryPoints, onProgress, ...given })
      return [
        chainId,
        createLazyService({ name: 'bundler', start: begin, startTimeoutMs, onProgress, ...events }),
      ] as const
    }),
  )
  const site = await openSite(port)
  site.respond(createResponder(chains, bundlers))
  return {
    bundlerUrl: (chainId) => `${site.url}/bundler/${chainId}`,
    paymasterUrl: `${site.url}/paymaster`,
    async warm() {
      if (await isBundlerInstalled().catch(() => false))
        await Promise.allSettled([...bundlers.values()].map((each) => each.start()))
    },
    async close() {
      await site.close()
      await Promise.all([...bundlers.values()].map((each) => each.close()))
    },
  }
}

/** Handles the requests to the bundlers and the paymaster. */
function createResponder(chains: readonly PaidChain[], bundlers: ReadonlyMap<number, LazyService<Bundler>>) {
  const methods = paymasterMethods(chains, Date.now)
  const inclusions = createInclusions()
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await readBody(request)
    response.setHeader('content-type', 'application/json')
    const chain = chains.find(({ chainId }) => request.url === `/bundler/${chainId}`)
    const bundler = chain && bundlers.get(chain.chainId)
    if (request.method === 'GET' && bundler !== undefined) {
      // Any page may read the state. It starts nothing.
      response.setHeader('access-control-allow-origin', '*')
      response.end(JSON.stringify({ status: bundler.state() }))
    } else if (request.method !== 'POST' || text === undefined) response.writeHead(400).end()
    else if (request.url === '/paymaster') response.end(await handleJsonRpc(text, methods))
    else if (chain === undefined || bundler === undefined) response.writeHead(404).end()
    else {
      const result = await forwardJsonRpc(async () => (await bundler.wait()).url, text)
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
