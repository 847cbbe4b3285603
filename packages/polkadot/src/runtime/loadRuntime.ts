import { getField } from '@latchkey/protocol'
import { requestPolkadotRpc, type Chain } from '../chain/requestPolkadotRpc.ts'
import { fromHex } from '../wallet/fromHex.ts'
import { decodeRuntime, type Runtime } from './decodeRuntime.ts'

/** The versions that a transaction is signed for. */
export type RuntimeVersion = { readonly specVersion: number; readonly transactionVersion: number }

/** The loaded runtimes of an adapter, by network and version. */
export type Runtimes = Map<string, Promise<Runtime>>

/** Decoded metadata has some megabytes. */
const mostRuntimes = 3

/**
 * Loads the runtime of a block. Each version is loaded once.
 *
 * @param at the hash of the block; the latest one by default
 * @throws LatchkeyError `rpc/unreachable`, including for invalid metadata
 */
export async function loadRuntime(chain: Chain, runtimes: Runtimes, at?: string): Promise<RuntimeVersion & Runtime> {
  const version = await readRuntimeVersion(chain, at)
  const name = `${chain.network.caipNetworkId}/${version.specVersion}`
  const loading = runtimes.get(name) ?? requestRuntime(chain, at)
  runtimes.delete(name)
  runtimes.set(name, loading)
  for (const oldest of [...runtimes.keys()].slice(0, -mostRuntimes)) runtimes.delete(oldest)
  try {
    return { ...version, ...(await loading) }
  } catch (error) {
    runtimes.delete(name)
    throw error
  }
}

function readRuntimeVersion(chain: Chain, at: string | undefined): Promise<RuntimeVersion> {
  const request = { method: 'state_getRuntimeVersion', params: at === undefined ? [] : [at] }
  return requestPolkadotRpc(chain, {
    ...request,
    parse(result) {
      const [specVersion, transactionVersion] = [
        getField(result, 'specVersion'),
        getField(result, 'transactionVersion'),
      ]
      if (!isU32(specVersion) || !isU32(transactionVersion)) throw new Error('The runtime version is invalid.')
      return { specVersion, transactionVersion }
    },
  })
}

function isU32(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32
}

function requestRuntime(chain: Chain, at: string | undefined): Promise<Runtime> {
  const request = { method: 'state_getMetadata', params: at === undefined ? [] : [at] }
  return requestPolkadotRpc(chain, { ...request, parse: (result) => decodeRuntime(fromHex(result)) })
}
