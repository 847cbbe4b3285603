import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Network } from '@latchkey/protocol'
import { createLazyService } from '../processes/createLazyService.ts'
import type { ChildEvents } from '../processes/startChild.ts'
import { forwardJsonRpc } from '../sites/forwardJsonRpc.ts'
import { describeAssetHub, startPolkadotChain, type PolkadotChain } from './startPolkadotChain.ts'

/** The Polkadot of the local world. */
export type LocalPolkadot = {
  network: Network & { ss58Format: number }
  rpcUrl: string
  close(): Promise<void>
}

export type LocalPolkadotOptions = ChildEvents & {
  port?: number
  /** Called with a sentence about long or failed operations. */
  onProgress?(sentence: string): void
  /** Timeout of a request that waits for the chain, in milliseconds. */
  startTimeoutMs?: number
  /** Starts the chain; the real one by default. */
  start?: typeof startPolkadotChain
}

/** The genesis hash of the chain, which is known before the chain is started. */
const genesisHash = `0x${'45'.repeat(32)}`

/**
 * The accounts of the keys 0 to 3 of the shared development phrase, at `m/44'/354'/0'/0'/i'`: two sr25519 keys, one
 * Ed25519, one ECDSA.
 */
const funded = [
  '84f90f25a9f9b3dced21e422addde6a14d94f64d85fc61501994e00013dce05a',
  '6e9055c774a5329673e44e7cc1be6d5bb13eddd0720451616ca1e4464af95318',
  '96a5f828402493e45a8f20a264afafeced99291a4e986f71ba63048cb2ea52ce',
  '67125598b81aba625f75568a523b0f9825c31869c2df8fcb71d72129cad44438',
] as const

const unitsEach = 10_000n * 10n ** 12n

/**
 * Starts the JSON-RPC endpoint of a chain whose development accounts hold ten thousand units each. Until a request needs the
 * runtime, the endpoint responds by itself; then it installs and starts the chain, and passes on all requests.
 *
 * @throws Error if the port is in use
 * @example const { network, rpcUrl, close } = await startLocalPolkadot()
 */
export async function startLocalPolkadot(options: LocalPolkadotOptions = {}): Promise<LocalPolkadot> {
  const { port = 0, start = startPolkadotChain, onProgress, ...rest } = options
  const startFunded = async (events: ChildEvents): Promise<PolkadotChain> => {
    const chain = await start({ ...(onProgress && { onProgress }), ...events })
    for (const account of funded) await chain.fund(account, unitsEach)
    return chain
  }
  const runtime = createLazyService({ name: 'Polkadot chain', start: startFunded, onProgress, ...rest })
  const respond = async (text: string): Promise<string> => {
    const { id, method, params = [] } = JSON.parse(text) as RpcCall
    const known = method === 'system_chain' || runtime.state() !== 'running' ? findResult(method, params) : undefined
    if (known !== undefined) return JSON.stringify({ jsonrpc: '2.0', id, result: known.result })
    return forwardJsonRpc(async () => (await runtime.wait()).rpcUrl, text)
  }
  const server = createServer(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', 'content-type')
    if (request.method === 'OPTIONS') return void response.writeHead(204).end()
    try {
      response.setHeader('content-type', 'application/json')
      response.end(await respond((await request.toArray()).join('')))
    } catch {
      response.writeHead(400).end()
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  // A TCP server always has an address of this form while it listens.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    network: {
      ...describeAssetHub(genesisHash, url),
      name: 'Polkadot Local',
      nativeCurrency: { name: 'Unit', symbol: 'UNIT', decimals: 12 },
      testnet: false,
      // The picture of the public network.
      assets: { imageId: 'polkadot:91b171bb158e2d3848fa23a9f1c25182' },
    },
    rpcUrl: url,
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
      await runtime.close()
    },
  }
}

type RpcCall = { id: unknown; method: string; params?: readonly unknown[] }

/** Returns what the endpoint knows without the chain: its name, its genesis and the first balances. */
function findResult(method: string, [first, second]: readonly unknown[]): { result: unknown } | undefined {
  if (method === 'system_chain') return { result: 'Polkadot Local' }
  if (method === 'chain_getBlockHash' && first === 0) return { result: genesisHash }
  if (method === 'state_getStorage' && second === undefined) return { result: recordAt(String(first)) }
  return undefined
}

/** The storage of an account (SCALE): counters, then the free, reserved and frozen balance, and flags. */
function recordAt(key: string): string | null {
  const prefix = '0x26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c0cf30e8886371da9'
  // The prefix is followed by 16 bytes of hash and the account id.
  const account = key.slice(prefix.length + 32)
  if (!key.startsWith(prefix) || !funded.some((each) => each === account)) return null
  const free = unitsEach.toString(16).padStart(32, '0').match(/../g)?.toReversed().join('') ?? ''
  return `0x${'00000000'}${'00000000'}${'01000000'}${'00000000'}${free}${'00'.repeat(48)}`
}
