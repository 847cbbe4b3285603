import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { accountCount, mnemonic } from './accounts.ts'

/** A chain that runs. */
export type Anvil = { rpcUrl: string; pid: number; close(): Promise<void> }

export type AnvilOptions = {
  chainId: number
  /** 0 takes any free one. */
  port: number
  /** Where the chain is kept between starts; nowhere when left out. */
  stateFile?: string
  /** Called when the process ends by itself, with its last words. */
  onExit?(reason: string): void
}

const readyMilliseconds = 10_000
const closeMilliseconds = 5_000

/**
 * Finds the EVM node: the one of the installed package, `ANVIL_PATH`, or one on the PATH.
 *
 * @throws Error with a sentence that says how to get one.
 */
export function findAnvil(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  const named = environment['ANVIL_PATH']
  if (named !== undefined) return named
  try {
    return createRequire(import.meta.url).resolve('@foundry-rs/anvil-linux-amd64/bin/anvil')
  } catch {
    const folders = (environment['PATH'] ?? '').split(delimiter)
    const found = folders.map((folder) => join(folder, 'anvil')).find((path) => existsSync(path))
    if (found !== undefined) return found
  }
  throw new Error('The EVM node "anvil" is missing. Install Foundry, or set ANVIL_PATH to its anvil.')
}

/**
 * Starts an EVM chain that mines each transaction at once.
 *
 * @throws Error when the node is missing, ends at once, or does not answer within ten seconds.
 */
export async function startAnvil({ chainId, port, stateFile, onExit }: AnvilOptions): Promise<Anvil> {
  const state = stateFile === undefined ? [] : ['--state', stateFile, '--state-interval', '1']
  if (stateFile !== undefined) await mkdir(dirname(stateFile), { recursive: true })
  const child = spawn(
    findAnvil(),
    [
      '--chain-id',
      String(chainId),
      '--port',
      String(port),
      '--mnemonic',
      mnemonic,
      '--accounts',
      String(accountCount),
      ...state,
    ],
    // A group of its own: Ctrl-C is for whoever started it, who then stops it in order.
    { stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  )
  const output = collect(child)
  let closing = false
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  })
  void ended.then(() => closing || onExit?.(output.tail()))
  const close = async (): Promise<void> => {
    closing = true
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
    child.kill('SIGTERM')
    const killed = sleep(closeMilliseconds, 'late', { ref: false })
    if ((await Promise.race([ended, killed])) === 'late') child.kill('SIGKILL')
    await ended
  }
  try {
    const rpcUrl = await untilListening(child, output, ended)
    return { rpcUrl, pid: child.pid ?? 0, close }
  } catch (error) {
    await close()
    throw error
  }
}

type Output = { text(): string; tail(): string }

function collect(child: ChildProcess): Output {
  let text = ''
  const add = (chunk: Buffer): void => {
    text = (text + chunk.toString()).slice(-8_000)
  }
  child.stdout?.on('data', add)
  child.stderr?.on('data', add)
  return { text: () => text, tail: () => text.trim().split('\n').slice(-3).join(' ') }
}

async function untilListening(child: ChildProcess, output: Output, ended: Promise<void>): Promise<string> {
  let over = child.pid === undefined
  void ended.then(() => (over = true))
  const deadline = Date.now() + readyMilliseconds
  while (!over && Date.now() < deadline) {
    const address = /Listening on (127\.0\.0\.1:\d+)/.exec(output.text())?.[1]
    if (address !== undefined) return `http://${address}`
    await sleep(10)
  }
  throw new Error(`The EVM node did not start. ${output.tail()}`)
}
