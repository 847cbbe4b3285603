import { join } from 'node:path'
import type { Hex } from 'viem'
import { bundlerKeys } from '../accounts.ts'
import { startChild, type ChildEvents } from '../processes/startChild.ts'
import { bundlerProgram, installBundler } from './installBundler.ts'

/** A bundler of one chain. */
export type Bundler = { url: string; close(): Promise<void> }

export type BundlerOptions = ChildEvents & {
  chainId: number
  rpcUrl: string
  entryPoints: readonly Hex[]
  /** Called with a sentence about long operations. */
  onProgress?(sentence: string): void
}

/**
 * Starts a bundler for a chain, and installs it first if necessary.
 *
 * @throws Error if it cannot be installed, exits immediately, or is not ready within a minute
 * @example const { url, close } = await startBundler({ chainId: 31337, rpcUrl, entryPoints })
 */
export async function startBundler(options: BundlerOptions): Promise<Bundler> {
  const { chainId, rpcUrl, entryPoints, onProgress, ...events } = options
  await installBundler({ onProgress, signal: events.signal })
  const program = join(bundlerProgram.folder, 'node_modules/@pimlico/alto/esm/cli/alto.js')
  const { ready: port, close } = await startChild({
    name: `The bundler of the EVM chain ${chainId}`,
    command: process.execPath,
    args: [
      '--import',
      join(bundlerProgram.folder, 'loopback.mjs'),
      program,
      'run',
      ...argumentsOf(rpcUrl, entryPoints),
    ],
    isReady: { inLine: (line) => /listens on port (\d+)/.exec(line)?.[1] },
    readySeconds: 180,
    closeSeconds: 5,
    ...events,
  })
  return { url: `http://127.0.0.1:${port}`, close }
}

function argumentsOf(rpcUrl: string, entryPoints: readonly Hex[]): readonly string[] {
  const { executor, helper } = bundlerKeys
  const options = {
    entrypoints: entryPoints.join(','),
    'executor-private-keys': executor,
    'utility-private-key': helper,
    'rpc-url': rpcUrl,
    port: 0,
    // Its safe mode needs a tracer that the local node lacks.
    'safe-mode': false,
    'min-balance': 0,
    'min-executor-balance': 0,
    'log-level': 'error',
  }
  return Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
}
