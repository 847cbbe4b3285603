import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A third-party program with its own folder outside of the workspaces: package.json and lockfile. */
export type Program = {
  readonly folder: string
  /** The name in sentences: `bundler for smart accounts`. */
  readonly name: string
  /** The duration of its installation in sentences: `about a minute`. */
  readonly duration: string
}

export type InstallOptions = {
  /** Called with a sentence about long operations. */
  onProgress?(sentence: string): void
  signal?: AbortSignal
}

const installTimeoutMs = 600_000
const pollMilliseconds = 200
const progressInterval = 10_000

/** True if a program is installed as its lockfile says. */
export async function isProgramInstalled({ folder }: Program): Promise<boolean> {
  const [mark, wanted] = await Promise.all([readOrNothing(markOf(folder)), lockHash(folder)])
  return mark === wanted
}

/**
 * Installs a program. Concurrent calls, including those of other processes, wait for the first one.
 *
 * @throws Error with a sentence that says what to do
 * @example await installProgram(bundlerProgram, { onProgress: console.log })
 */
export async function installProgram(program: Program, { onProgress, signal }: InstallOptions = {}): Promise<void> {
  const { folder, name, duration } = program
  const deadline = AbortSignal.any([AbortSignal.timeout(installTimeoutMs), ...(signal === undefined ? [] : [signal])])
  const guard = join(folder, '.installing')
  while (!(await isProgramInstalled(program))) {
    deadline.throwIfAborted()
    if (!(await takeGuard(guard))) {
      await sleep(pollMilliseconds, undefined, { signal: deadline })
      continue
    }
    try {
      onProgress?.(`Installing the ${name}, once; it takes ${duration}.`)
      await runInstall(program, deadline)
      await mkdir(join(folder, 'node_modules'), { recursive: true })
      await writeFile(markOf(folder), await lockHash(folder))
    } finally {
      await rm(guard, { recursive: true, force: true })
    }
  }
}

async function runInstall({ folder, name }: Program, signal: AbortSignal): Promise<void> {
  // Install scripts are not run.
  const args = ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const child = spawn('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], signal })
  let words = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (words = (words + text).slice(-1_000)))
  const code = await new Promise<unknown>((resolve) => {
    child.once('error', resolve)
    child.once('close', resolve)
  })
  signal.throwIfAborted()
  if (code === 0) return
  const { message = words.trim() } = code instanceof Error ? code : {}
  throw new Error(
    `The ${name} could not be installed: run "npm ci" in ${folder} where there is a network. ${message}`.trim(),
  )
}

/** Creating a folder is atomic, so it serves as a lock. A lock of a dead process is removed. */
async function takeGuard(guard: string): Promise<boolean> {
  try {
    await mkdir(guard)
    await writeFile(join(guard, 'pid'), String(process.pid))
    return true
  } catch {
    const pid = Number(await readOrNothing(join(guard, 'pid')))
    const isLeft = pid > 0 ? !isAlive(pid) : await isOld(guard)
    if (isLeft) await rm(guard, { recursive: true, force: true })
    return false
  }
}

/** The owner writes its process id immediately, or never. */
async function isOld(guard: string): Promise<boolean> {
  const made = await stat(guard).catch(() => undefined)
  return made !== undefined && Date.now() - made.mtimeMs > progressInterval
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const markOf = (folder: string): string => join(folder, 'node_modules', '.latchkey')

async function lockHash(folder: string): Promise<string> {
  const lock = await readFile(join(folder, 'package-lock.json'))
  return createHash('sha256').update(lock).digest('hex')
}

const readOrNothing = (file: string): Promise<string | undefined> => readFile(file, 'utf8').catch(() => undefined)
