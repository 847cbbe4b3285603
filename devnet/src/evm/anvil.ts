import { accessSync, constants } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { addresses, mnemonic } from '../accounts.ts'
import { startChild, type ChildEvents } from '../processes/startChild.ts'

/** A running chain. */
export type Anvil = { rpcUrl: string; close(): Promise<void> }

export type AnvilOptions = ChildEvents & {
  chainId: number
  /** 0 selects a free port. */
  port: number
  /** The file that keeps the chain between starts, written each second and at the end. Without it the chain is lost at the end. */
  stateFile?: string
}

/**
 * Finds the EVM node at `ANVIL_PATH`, in the installed package, or on the PATH.
 *
 * @throws Error with a sentence that says how to get one.
 */
export function findAnvil(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const { ANVIL_PATH: named, PATH: path = '' } = environment
  if (named !== undefined && named !== '') {
    if (isExecutable(named)) return named
    throw new Error(`ANVIL_PATH names "${named}", which is not a program that can be run.`)
  }
  const program = platform === 'win32' ? 'anvil.exe' : 'anvil'
  const onPath = path.split(delimiter).map((folder) => join(folder, program))
  const found = [packagedAnvil(platform), ...onPath].find((file) => file !== undefined && isExecutable(file))
  if (found !== undefined) return found
  throw new Error(
    'The EVM node "anvil" is missing: its package is for Linux on x64 only. Install Foundry, so that anvil is on the PATH, or set ANVIL_PATH.',
  )
}

function packagedAnvil(platform: NodeJS.Platform): string | undefined {
  if (platform !== 'linux') return undefined
  try {
    return createRequire(import.meta.url).resolve('@foundry-rs/anvil-linux-amd64/bin/anvil')
  } catch {
    return undefined
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Starts an EVM chain that mines each transaction immediately.
 *
 * @throws Error if the node is missing, exits immediately, or does not respond within 20 seconds.
 * @example const { rpcUrl, close } = await startAnvil({ chainId: 31337, port: 0 })
 */
export async function startAnvil({ chainId, port, stateFile, ...events }: AnvilOptions): Promise<Anvil> {
  const state = stateFile === undefined ? [] : ['--state', stateFile, '--state-interval', '1']
  if (stateFile !== undefined) await mkdir(dirname(stateFile), { recursive: true })
  const accounts = ['--mnemonic', mnemonic, '--accounts', String(addresses.length)]
  const { ready: address, close } = await startChild({
    name: `The EVM chain ${chainId}`,
    command: findAnvil(),
    args: ['--chain-id', String(chainId), '--port', String(port), ...accounts, ...state],
    isReady: { inLine: (line) => /Listening on (127\.0\.0\.1:\d+)/.exec(line)?.[1] },
    readySeconds: 20,
    closeSeconds: 10,
    ...events,
  })
  return { rpcUrl: `http://${address}`, close }
}
