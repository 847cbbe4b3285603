import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Network } from '@latchkey/protocol'
import { installProgram } from '../processes/installProgram.ts'
import { startChild, type ChildEvents } from '../processes/startChild.ts'
import { polkadotChainProgram } from './polkadotChainProgram.ts'

/** A Polkadot chain with a runtime: Rococo Asset Hub, whose blocks follow each transaction. */
export type PolkadotChain = {
  readonly network: Network & { readonly ss58Format: number }
  readonly rpcUrl: string
  /**
   * Sets the balance of an account.
   *
   * @param account the key as 64 hexadecimal digits
   * @param free base units
   */
  fund(account: string, free: bigint): Promise<void>
  /** Builds empty blocks. */
  build(blocks: number): Promise<void>
  /** Sends a JSON-RPC request. */
  request(method: string, params: readonly unknown[]): Promise<unknown>
  close(): Promise<void>
}

export type PolkadotChainOptions = ChildEvents & {
  port?: number
  /** Called with a sentence about long operations. */
  onProgress?(sentence: string): void
}

/**
 * Starts a Polkadot chain that executes transactions, and installs its program first if necessary.
 *
 * @throws Error if it cannot be installed, exits immediately, or is not ready within three minutes
 * @example const { network, fund, close } = await startPolkadotChain()
 */
export async function startPolkadotChain(options: PolkadotChainOptions = {}): Promise<PolkadotChain> {
  const { port = 0, onProgress, ...events } = options
  await installProgram(polkadotChainProgram, {
    ...(onProgress && { onProgress }),
    ...(events.signal && { signal: events.signal }),
  })
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-polkadot-'))
  const leave = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    const { ready: rpcUrl, close } = await startChild({
      name: 'The Polkadot chain',
      command: process.execPath,
      args: [
        resolveProgramPath('@acala-network/chopsticks/chopsticks.cjs'),
        '--config',
        await writeConfig(folder, port),
      ],
      isReady: { inLine: (line) => /RPC listening on (http:\/\/[\d.]+:\d+)/.exec(line)?.[1] },
      readySeconds: 180,
      closeSeconds: 5,
      ...events,
    })
    return {
      ...(await describeChain(rpcUrl)),
      close: async () => {
        await close()
        await leave()
      },
    }
  } catch (error) {
    await leave()
    throw error
  }
}

function resolveProgramPath(path: string): string {
  return join(polkadotChainProgram.folder, 'node_modules', path)
}

/** Writes the configuration and the genesis. Without a mocked signature host, the runtime verifies all signatures. */
async function writeConfig(folder: string, port: number): Promise<string> {
  const specifications: unknown = createRequire(resolveProgramPath('.'))('@substrate/connect-known-chains')
  const genesis = join(folder, 'genesis.json')
  await writeFile(genesis, String(Reflect.get(Object(specifications), 'rococo_v2_2_asset_hub')))
  const config = join(folder, 'config.json')
  const settings = { genesis, port, host: '127.0.0.1', 'build-block-mode': 'Instant', 'mock-signature-host': false }
  await writeFile(config, JSON.stringify(settings))
  return config
}

async function describeChain(rpcUrl: string): Promise<Omit<PolkadotChain, 'close'>> {
  const request = (method: string, params: readonly unknown[]): Promise<unknown> => requestRpc(rpcUrl, method, params)
  const genesisHash = String(await request('chain_getBlockHash', [0]))
  return {
    rpcUrl,
    request,
    network: describeAssetHub(genesisHash, rpcUrl),
    async fund(account, free) {
      const record = { providers: 1, data: { free: String(free) } }
      await request('dev_setStorage', [{ System: { Account: [[[`0x${account}`], record]] } }])
    },
    build: async (blocks) => void (await request('dev_newBlock', [{ count: blocks }])),
  }
}

/** Describes the chain at an endpoint. */
export function describeAssetHub(genesisHash: string, rpcUrl: string): Network & { readonly ss58Format: number } {
  const id = genesisHash.slice(2, 34)
  return {
    id,
    name: 'Rococo Asset Hub',
    caipNetworkId: `polkadot:${id}`,
    chainNamespace: 'polkadot',
    nativeCurrency: { name: 'ROC', symbol: 'ROC', decimals: 12 },
    rpcUrls: { default: { http: [rpcUrl] } },
    testnet: true,
    ss58Format: 42,
  }
}

async function requestRpc(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message?: unknown } }
  if (error !== undefined) throw new Error(`The Polkadot chain refused ${method}: ${String(error.message)}`)
  return result
}
