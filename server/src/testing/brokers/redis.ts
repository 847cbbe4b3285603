import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../kit/runtime/freePort.ts'

/** A Redis for tests. */
export type TestRedis = {
  url: string
  port: number
  /** Freezes it without closing its connections. */
  freeze(): void
  /** Ends it and deletes its data. */
  close(): Promise<void>
}

const readyMilliseconds = 60_000

/**
 * Starts a Redis without persistence on loopback: the program at `REDIS_SERVER_PATH`, or `redis-server`.
 *
 * @param port a free port by default; pass an earlier port to restart at the same address
 * @throws Error with its output if it exits or is not ready within ten seconds.
 * @example
 * const redis = await startTestRedis()
 * connectTo(redis.url)
 * await redis.close()
 */
export async function startTestRedis(port?: number): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-redis-'))
  const ownPort = port ?? (await freePort())
  const options = ['--port', `${ownPort}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no']
  const child = spawn(process.env['REDIS_SERVER_PATH'] ?? 'redis-server', options, {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const close = async (): Promise<void> => {
    await endChild(child)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await waitUntilReady(child)
  } catch (error) {
    await close()
    throw error
  }
  return { url: `redis://127.0.0.1:${ownPort}`, port: ownPort, freeze: () => void child.kill('SIGSTOP'), close }
}

async function waitUntilReady(child: ChildProcess): Promise<void> {
  let output = ''
  let timer: NodeJS.Timeout | undefined
  const ready = new Promise<void>((resolve, reject) => {
    const fail = (how: string): void => reject(new Error(`Redis ${how}. ${output}`.trim()))
    const listen = (text: Buffer): void => {
      output += String(text)
      if (output.includes('Ready to accept connections')) resolve()
    }
    timer = setTimeout(() => fail('was not ready within ten seconds'), readyMilliseconds)
    child.stdout?.on('data', listen)
    child.stderr?.on('data', listen)
    child.once('error', ({ message }) => fail(`could not be started: ${message}`))
    child.once('exit', () => fail('ended at once'))
  })
  await ready.finally(() => clearTimeout(timer))
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
