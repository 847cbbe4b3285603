import { fork, type ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

/** A server process that is ready. */
export type ServerProcess = { url: string; pid: number; close(): Promise<void> }

export type ServerProcessOptions = {
  /** The built entry of the server. */
  entry: string
  env: Readonly<Record<string, string>>
  /** Called when the process ends by itself, with its last words. */
  onExit?(reason: string): void
}

const readyMilliseconds = 30_000
const closeMilliseconds = 15_000

/**
 * Starts the server as a process of its own, as an operator would, and waits until it says that it is ready.
 *
 * @throws Error with the server's last words when it ends or is not ready within 30 seconds.
 */
export async function startServerProcess({ entry, env, onExit }: ServerProcessOptions): Promise<ServerProcess> {
  // A group of its own: Ctrl-C is for whoever started it, who then stops it in order.
  const child = fork(entry, [], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  })
  const tail = follow(child)
  let closing = false
  const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()))
  void ended.then(() => closing || onExit?.(tail()))
  const close = async (): Promise<void> => {
    closing = true
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    if ((await Promise.race([ended, sleep(closeMilliseconds, 'late', { ref: false })])) === 'late') {
      child.kill('SIGKILL')
    }
    await ended
  }
  const outcome = await Promise.race([
    untilReady(child),
    ended.then(() => undefined),
    sleep(readyMilliseconds, undefined, { ref: false }),
  ])
  if (outcome !== undefined) return { url: outcome, pid: child.pid ?? 0, close }
  await close()
  throw new Error(`The server did not start. ${tail()}`)
}

function follow(child: ChildProcess): () => string {
  let text = ''
  const add = (chunk: Buffer): void => {
    text = (text + chunk.toString()).slice(-8_000)
  }
  child.stdout?.on('data', add)
  child.stderr?.on('data', add)
  return () => text.trim().split('\n').slice(-8).join('\n')
}

function untilReady(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.on('message', (message) => {
      if (typeof message === 'object' && message !== null && 'url' in message && typeof message.url === 'string') {
        resolve(message.url)
      }
    })
  })
}
