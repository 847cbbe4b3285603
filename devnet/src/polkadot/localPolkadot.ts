import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Network } from '@latchkey/protocol'

/** The Polkadot of the local world. */
export type LocalPolkadot = { network: Network; rpcUrl: string; close(): Promise<void> }

/** The genesis hash, unique to this chain. */
const genesisHash = '0x6c617463686b65796c617463686b65796c617463686b65796c617463686b6579'

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

const unitsEach = 10_000n * 10n ** 10n

/**
 * Starts a JSON-RPC server that returns balances like a Polkadot node. It has no runtime: it accepts no transactions
 * and verifies no signatures.
 */
export async function startLocalPolkadot({ port = 0 }: { port?: number } = {}): Promise<LocalPolkadot> {
  const server = createServer(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', 'content-type')
    if (request.method === 'OPTIONS') return void response.writeHead(204).end()
    try {
      const { id, method, params } = JSON.parse((await request.toArray()).join('')) as RpcCall
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...responseOf(method, params) }))
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
    network: describeNetwork(url),
    rpcUrl: url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type RpcCall = { id: unknown; method: string; params?: readonly unknown[] }

function responseOf(method: string, params: readonly unknown[] = []): object {
  switch (method) {
    case 'system_chain':
      return { result: 'Polkadot Local' }
    case 'chain_getBlockHash':
      return { result: genesisHash }
    case 'state_getStorage':
      return { result: recordAt(String(params[0])) }
    default:
      return { error: { code: -32_601, message: `Method not found: ${method}` } }
  }
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

function describeNetwork(url: string): Network & { ss58Format: number } {
  const id = genesisHash.slice(2, 34)
  return {
    id,
    name: 'Polkadot Local',
    caipNetworkId: `polkadot:${id}`,
    chainNamespace: 'polkadot',
    nativeCurrency: { name: 'Unit', symbol: 'UNIT', decimals: 10 },
    rpcUrls: { default: { http: [url] } },
    // The picture of the public network.
    assets: { imageId: 'polkadot:91b171bb158e2d3848fa23a9f1c25182' },
    ss58Format: 42,
  }
}
