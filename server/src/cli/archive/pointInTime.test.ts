import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFile, chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../kit/runtime/freePort.ts'
import { connectRelayClient, startTestServer } from '../../testing/index.ts'
import { archiveDatabase } from './archiveDatabase.ts'
import { archivePaths } from './listBaseBackups.ts'
import { restoreToTime } from './restoreToTime.ts'

const run = promisify(execFile)
const programs = process.env['POSTGRES_BIN'] ?? '/usr/lib/postgresql/15/bin'
const topic = randomBytes(32).toString('hex')

let folder = ''
let port = 0
let stopPostgres: (() => Promise<void>) | undefined

/** PostgreSQL refuses to run as root. */
const asPostgres =
  process.getuid?.() === 0 ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : ['env']
const dataFolder = (): string => join(folder, 'data')
const databaseUrl = (): string => `postgres://latchkey@127.0.0.1:${port}/postgres`

async function runAsPostgres(program: string, ...args: string[]): Promise<void> {
  const [command = '', ...first] = asPostgres
  await run(command, [...first, join(programs, program), ...args], { cwd: folder })
}

async function giveToPostgres(path: string): Promise<void> {
  if (process.getuid?.() === 0) await run('chown', ['-R', 'postgres:postgres', path])
}

/** Starts PostgreSQL, and waits until it accepts writes. */
async function startPostgres(): Promise<void> {
  const [command = '', ...first] = asPostgres
  const child = spawn(command, [...first, join(programs, 'postgres'), '-D', dataFolder(), '-p', String(port)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (text) => (output += String(text)))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  stopPostgres = async () => {
    child.kill('SIGQUIT')
    await ended
    stopPostgres = undefined
  }
  while (!(await isWritable())) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended: ${output}`)
    await sleep(100)
  }
}

async function isWritable(): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl() })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ recovering: boolean }>('select pg_is_in_recovery() as recovering')
    return rows[0]?.recovering === false
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-archive-'))
  await chmod(folder, 0o755)
  port = await freePort()
  await mkdir(dataFolder())
  await giveToPostgres(dataFolder())
  await runAsPostgres('initdb', '-D', dataFolder(), '--username=latchkey', '--auth=trust', '--data-checksums')
  const settings = `listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\n`
  await appendFile(join(dataFolder(), 'postgresql.conf'), settings)
  await startPostgres()
})
afterAll(async () => {
  await stopPostgres?.()
  await rm(folder, { recursive: true, force: true })
})

async function publish(relayUrl: string, message: string): Promise<void> {
  const publisher = await connectRelayClient(relayUrl)
  const params = { topic, message, ttl: 3_600, tag: 0 }
  expect(await publisher.request('irn_publish', params)).toMatchObject({ result: true })
  await publisher.close()
}

async function readMessages(): Promise<readonly string[]> {
  const server = await startTestServer({ databaseUrl: databaseUrl() })
  const reader = await connectRelayClient(server.relayUrl)
  const { result } = await reader.request('irn_fetchMessages', { topic })
  await reader.close()
  await server.close()
  return (result as { messages: { message: string }[] }).messages.map(({ message }) => message)
}

/** Deletes the data folder, as a lost disk does, and restores it. */
async function wipeAndRestore(archive: string, until: string): Promise<void> {
  await stopPostgres?.()
  await rm(dataFolder(), { recursive: true })
  const lines: string[] = []
  await restoreToTime({ folder: archive, until, dataFolder: dataFolder(), print: (line) => void lines.push(line) })
  expect(lines).toHaveLength(1)
  await giveToPostgres(dataFolder())
  await giveToPostgres(archive)
  await startPostgres()
}

test(
  'a wiped PostgreSQL is restored to a moment between two messages, and to the last one',
  { tags: 'faults' },
  async () => {
    const archive = join(folder, 'archive')
    const stopped = new AbortController()
    const lines: string[] = []
    const archiving = archiveDatabase({
      databaseUrl: databaseUrl(),
      folder: archive,
      signal: stopped.signal,
      clock: { now: Date.now },
      print: (line) => void lines.push(line),
    })
    await expect.poll(() => lines, { timeout: 60_000 }).toHaveLength(2)

    const server = await startTestServer({ databaseUrl: databaseUrl() })
    await publish(server.relayUrl, 'before')
    await sleep(50)
    const until = new Date().toISOString()
    await sleep(50)
    await publish(server.relayUrl, 'after')
    await server.close()
    // The archive gets each write at once.
    await sleep(2_000)
    stopped.abort()
    await archiving

    await expect(
      restoreToTime({ folder: archive, until, dataFolder: dataFolder(), print: () => undefined }),
    ).rejects.toThrow('is not empty')
    await wipeAndRestore(archive, until)
    expect(await readMessages()).toEqual(['before'])
    await wipeAndRestore(archive, 'latest')
    expect(await readMessages()).toEqual(['before', 'after'])
  },
)

test('a restore refuses times that the archive does not have, and paths that a shell would read', async () => {
  const archive = join(folder, 'second')
  const restore = (from: string, until: string): Promise<void> =>
    restoreToTime({ folder: from, until, dataFolder: join(folder, 'empty'), print: () => undefined })
  await expect(restore(archive, '2026-01-31T03:00:00Z')).rejects.toThrow('has no base backup')
  const { bases } = archivePaths(archive)
  await mkdir(join(bases, '2026-01-01T00-00-00.000Z'), { recursive: true })
  await mkdir(join(bases, 'incomplete'))
  await expect(restore(archive, '2025-12-31T23:59:59Z')).rejects.toThrow('begins at 2026-01-01T00:00:00.000Z')
  for (const until of ['yesterday', '2026-01-31', '2026-01-31T03:00:00', '2026-13-01T00:00:00Z']) {
    await expect(restore(archive, until)).rejects.toThrow('--until is a time with its zone')
  }
  await expect(restore(`${archive}'; touch x`, 'latest')).rejects.toThrow('characters that a shell reads')
  expect(await readdir(folder)).not.toContain('empty')
})
