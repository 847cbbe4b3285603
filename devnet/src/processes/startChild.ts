import { spawn, type ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

/** A running process of the local world. */
export type Child<ready> = {
  /** The value of its ready message. */
  ready: ready
  /** Its process id, which is also its process group. */
  pid: number
  /** Returns the last lines of its output. */
  lastLines(): string
  /** Sends a signal that does not end the process. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
  /** Sends a signal that ends the process, and resolves with its exit code or with the signal that ended it. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | string>
  /** Terminates the process, and kills it if it does not exit. */
  close(): Promise<void>
}

/** Callbacks about the processes of the local world. */
export type ChildEvents = {
  /** Called with the id of each started process, which is also its process group. */
  onProcess?(pid: number): void
  /** Called with its name and last lines when a process exits by itself. */
  onExit?(name: string, reason: string): void
  /** Called with everything that a process writes to its output. */
  onOutput?(text: string): void
  /** Aborts the start. */
  signal?: AbortSignal
}

export type ChildOptions<ready> = ChildEvents & {
  /** The name that starts error messages, for example `The server`. */
  name: string
  command: string
  args: readonly string[]
  env?: Readonly<Record<string, string>>
  /** Detects readiness from a printed line or from a message to the parent process. */
  isReady: { inLine(line: string): ready | undefined } | { inMessage(message: unknown): ready | undefined }
  readySeconds: number
  closeSeconds: number
}

const keptLines = 12
const outputMilliseconds = 500

/**
 * Starts a process and waits until it is ready.
 *
 * @throws Error with the last lines of the process if it exits first or is not ready in time.
 */
export async function startChild<ready>(options: ChildOptions<ready>): Promise<Child<ready>> {
  const { name, command, args, env, isReady, readySeconds, closeSeconds, onProcess, onExit, onOutput, signal } = options
  signal?.throwIfAborted()
  const child = spawn(command, [...args], {
    env: { ...process.env, ...env },
    stdio: 'inMessage' in isReady ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'],
    // Its own process group: Ctrl-C reaches only the parent, which then stops its children in order.
    detached: true,
  })
  const ended = waitUntilEnded(child)
  const ready = waitUntilReady(child, isReady)
  const lastLines = keepLastLines(child)
  if (onOutput !== undefined) for (const stream of [child.stdout, child.stderr]) stream?.on('data', onOutput)
  if (child.pid !== undefined) onProcess?.(child.pid)
  let isClosing = false
  const end = async (name: NodeJS.Signals): Promise<number | string> => {
    isClosing = true
    if (isRunning(child)) child.kill(name)
    await ended
    return child.signalCode ?? child.exitCode ?? 0
  }
  const close = async (): Promise<void> => {
    isClosing = true
    if (isRunning(child)) child.kill('SIGTERM')
    await Promise.race([ended, sleep(closeSeconds * 1000, undefined, { ref: false })])
    // Kills the children of the process, too.
    killGroup(child)
    await ended
  }

  const outcome = await Promise.race([
    ready,
    ended.then((how) => `ended at once (${how})`),
    sleep(readySeconds * 1000, `was not ready within ${readySeconds} seconds`, { ref: false }),
    // A program that is killed while it starts may leave children behind, so it gets time to finish.
    waitUntilAborted(signal, ended).then(() => sleep(closeSeconds * 1000, 'was stopped', { ref: false })),
  ])
  if (typeof outcome === 'object' && signal?.aborted !== true) {
    void ended.then((how) => isClosing || onExit?.(name, `${how}\n${lastLines()}`.trim()))
    const { pid = 0 } = child
    return { ready: outcome.value, pid, lastLines, signal: (name) => void child.kill(name), end, close }
  }
  await close()
  signal?.throwIfAborted()
  throw new Error(`${name} ${String(outcome)}. ${lastLines()}`.trim())
}

function isRunning({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The whole group has exited.
  }
}

/** Resolves with the exit code or signal. It waits for the last output only briefly: a remaining child may keep the pipe open. */
function waitUntilEnded(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve(message))
    child.once('exit', (code, signal) => {
      const how = signal === null ? `exit code ${code}` : signal
      child.once('close', () => resolve(how))
      setTimeout(resolve, outputMilliseconds, how).unref()
    })
  })
}

function waitUntilReady<ready>(
  child: ChildProcess,
  isReady: ChildOptions<ready>['isReady'],
): Promise<{ value: ready }> {
  return new Promise((resolve) => {
    const settle = (value: ready | undefined): void => void (value !== undefined && resolve({ value }))
    if ('inMessage' in isReady) child.on('message', (message) => settle(isReady.inMessage(message)))
    else forEachLine(child, (line) => settle(isReady.inLine(line)))
  })
}

/** Resolves when the start is aborted. Stops listening when the process has ended. */
function waitUntilAborted(signal: AbortSignal | undefined, ended: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const abort = (): void => resolve()
    signal?.addEventListener('abort', abort)
    void ended.then(() => signal?.removeEventListener('abort', abort))
  })
}

function keepLastLines(child: ChildProcess): () => string {
  const lines: string[] = []
  forEachLine(child, (line) => {
    if (line.trim() === '') return
    lines.push(line)
    if (lines.length > keptLines) lines.shift()
  })
  return () => lines.join('\n')
}

function forEachLine({ stdout, stderr }: ChildProcess, take: (line: string) => void): void {
  for (const stream of [stdout, stderr]) {
    let rest = ''
    stream?.setEncoding('utf8')
    stream?.on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      lines.forEach(take)
    })
    stream?.on('end', () => rest !== '' && take(rest))
  }
}
