import { spawn, type ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

/** A process of the local world that is ready. */
export type Child<ready> = {
  /** What it said when it was ready. */
  ready: ready
  /** Asks the process to end, and ends it when it does not. */
  close(): Promise<void>
}

/** What the local world tells whoever started it about its processes. */
export type ChildEvents = {
  /** Called with the id of each process as soon as there is one, which is also the id of its process group. */
  onProcess?(pid: number): void
  /** Called when a process ends by itself: what it is, and its last words. */
  onExit?(name: string, reason: string): void
  /** Ends a start that is under way. */
  signal?: AbortSignal
}

export type ChildOptions<ready> = ChildEvents & {
  /** What a person calls it, at the beginning of a sentence. */
  name: string
  command: string
  args: readonly string[]
  env?: Readonly<Record<string, string>>
  /** How the process says that it is ready: by a line that it prints, or by a message to its parent. */
  isReady: { inLine(line: string): ready | undefined } | { inMessage(message: unknown): ready | undefined }
  readySeconds: number
  closeSeconds: number
}

const keptLines = 12
const outputMilliseconds = 500

/**
 * Starts a process and waits until it is ready.
 *
 * @throws Error in a sentence, with the last lines of the process, when it ends first or is not ready in time.
 */
export async function startChild<ready>(options: ChildOptions<ready>): Promise<Child<ready>> {
  const { name, command, args, env, isReady, readySeconds, closeSeconds, onProcess, onExit, signal } = options
  signal?.throwIfAborted()
  const child = spawn(command, [...args], {
    env: { ...process.env, ...env },
    stdio: 'inMessage' in isReady ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'],
    // A group of its own: Ctrl-C is for whoever started it, who then stops it in order.
    detached: true,
  })
  const ended = untilEnded(child)
  const ready = untilReady(child, isReady)
  const lastLines = keepLastLines(child)
  if (child.pid !== undefined) onProcess?.(child.pid)
  let isClosing = false
  const close = async (): Promise<void> => {
    isClosing = true
    if (isRunning(child)) child.kill('SIGTERM')
    await Promise.race([ended, sleep(closeSeconds * 1000, undefined, { ref: false })])
    // What the process started itself goes with it.
    killGroup(child)
    await ended
  }

  const outcome = await Promise.race([
    ready,
    ended.then((how) => `ended at once (${how})`),
    sleep(readySeconds * 1000, `was not ready within ${readySeconds} seconds`, { ref: false }),
    // Ended in the middle of its start, a program may leave behind what it started itself: it gets a moment to finish.
    untilAborted(signal, ended).then(() => sleep(closeSeconds * 1000, 'was stopped', { ref: false })),
  ])
  if (typeof outcome === 'object' && signal?.aborted !== true) {
    void ended.then((how) => isClosing || onExit?.(name, `${how}\n${lastLines()}`.trim()))
    return { ready: outcome.value, close }
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
    // Nobody of the group is left.
  }
}

/** How the process ended. Its last output is waited for, but not for long: a process that it left may hold the pipe. */
function untilEnded(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve(message))
    child.once('exit', (code, signal) => {
      const how = signal === null ? `exit code ${code}` : signal
      child.once('close', () => resolve(how))
      setTimeout(resolve, outputMilliseconds, how).unref()
    })
  })
}

function untilReady<ready>(child: ChildProcess, isReady: ChildOptions<ready>['isReady']): Promise<{ value: ready }> {
  return new Promise((resolve) => {
    const settle = (value: ready | undefined): void => void (value !== undefined && resolve({ value }))
    if ('inMessage' in isReady) child.on('message', (message) => settle(isReady.inMessage(message)))
    else eachLine(child, (line) => settle(isReady.inLine(line)))
  })
}

/** Settles when the start is given up; nobody listens any more once the process has ended. */
function untilAborted(signal: AbortSignal | undefined, ended: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const abort = (): void => resolve()
    signal?.addEventListener('abort', abort)
    void ended.then(() => signal?.removeEventListener('abort', abort))
  })
}

function keepLastLines(child: ChildProcess): () => string {
  const lines: string[] = []
  eachLine(child, (line) => {
    if (line.trim() === '') return
    lines.push(line)
    if (lines.length > keptLines) lines.shift()
  })
  return () => lines.join('\n')
}

function eachLine({ stdout, stderr }: ChildProcess, take: (line: string) => void): void {
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
