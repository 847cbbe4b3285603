import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFile, chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { ChildEvents } from '../processes/startChild.ts'
import { readyText, startGrownProcess, type GrownPlace, type GrownProcess } from './grownProcess.ts'

/** A PostgreSQL with a synchronous replica: a commit is confirmed once both have it on disk. */
export type PostgresPair = {
  readonly primary: GrownProcess
  readonly replica: GrownProcess
  /** The URL of a database on the server that takes writes now. */
  url(database: string): string
  /** Runs a statement on one of them, and returns its output. */
  query(server: 'primary' | 'replica', statement: string): Promise<string>
  /** Makes the replica the server that takes writes. The primary must have ended before. */
  promote(): Promise<void>
  close(): Promise<void>
}

export type PostgresPairOptions = ChildEvents & {
  /** The folder of the programs `initdb`, `postgres`, `pg_basebackup`, `pg_ctl` and `psql`. */
  programs: string
  /** A folder that other users can reach, because PostgreSQL refuses to run as root. Its data is deleted. */
  folder: string
  ports: { primary: number; replica: number }
  place: GrownPlace
  databases: readonly string[]
}

type Setup = PostgresPairOptions & { user: { uid: number; gid: number } | undefined; password: string }

const run = promisify(execFile)
const userName = 'latchkey'
const pollMs = 100

/**
 * Creates and starts both servers, and waits until the replica is in sync.
 *
 * @throws Error with the output of the program that failed
 */
export async function startPostgresPair(options: PostgresPairOptions): Promise<PostgresPair> {
  const user = process.getuid?.() === 0 ? await findPostgresUser() : undefined
  const setup = { ...options, user, password: randomBytes(24).toString('hex') }
  await rm(options.folder, { recursive: true, force: true })
  await mkdir(options.folder, { recursive: true })
  if (user !== undefined) await chown(options.folder, user.uid, user.gid)
  await createPrimary(setup)
  const primary = await startServer(setup, 'primary')
  for (const database of options.databases) await query(setup, 'primary', `create database ${database}`)
  await createReplica(setup)
  const replica = await startServer(setup, 'replica')
  // Before the replica exists, each commit would wait for it.
  await query(setup, 'primary', `alter system set synchronous_standby_names = 'replica'`)
  await query(setup, 'primary', 'select pg_reload_conf()')
  await waitUntilInSync(setup)
  let current: 'primary' | 'replica' = 'primary'
  return {
    primary,
    replica,
    url: (database) =>
      `postgres://${userName}:${setup.password}@${options.place.host}:${options.ports[current]}/${database}`,
    query: (server, statement) => query(setup, server, statement),
    async promote() {
      await runAsUser(setup, 'pg_ctl', ['promote', '-w', '-t', '120', '-D', join(options.folder, 'replica')])
      current = 'replica'
    },
    async close() {
      await replica.close()
      await primary.close()
    },
  }
}

async function findPostgresUser(): Promise<Setup['user']> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const found = lines.find(([name]) => name === 'postgres')
  if (found === undefined) throw new Error('PostgreSQL cannot run as root, and this system has no user postgres.')
  return { uid: Number(found[2]), gid: Number(found[3]) }
}

async function createPrimary(setup: Setup): Promise<void> {
  const { folder, user, password, place } = setup
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (user !== undefined) await chown(passwordFile, user.uid, user.gid)
  const data = join(folder, 'primary')
  const access = ['--auth=scram-sha-256', `--pwfile=${passwordFile}`, `--username=${userName}`]
  await runAsUser(setup, 'initdb', ['-D', data, ...access, '--encoding=UTF8', '--locale=C'])
  const settings = [`listen_addresses = '${place.host}'`, `unix_socket_directories = ''`, 'max_connections = 400']
  await appendFile(join(data, 'postgresql.conf'), `${settings.join('\n')}\n`)
  const network = `${place.host}/24`
  const rules = [`host all all ${network} scram-sha-256`, `host replication all ${network} scram-sha-256`]
  await appendFile(join(data, 'pg_hba.conf'), `${rules.join('\n')}\n`)
}

async function createReplica(setup: Setup): Promise<void> {
  const { folder, ports, place } = setup
  const data = join(folder, 'replica')
  const from = `host=${place.host} port=${ports.primary} user=${userName}`
  const options = [
    '--wal-method=stream',
    '--write-recovery-conf',
    '--create-slot',
    '--slot=replica',
    '--checkpoint=fast',
  ]
  await runAsUser(setup, 'pg_basebackup', ['--pgdata', data, '--dbname', from, ...options])
  // The primary knows its replicas by this name.
  await appendFile(join(data, 'postgresql.conf'), `cluster_name = 'replica'\n`)
}

function startServer(setup: Setup, name: 'primary' | 'replica'): Promise<GrownProcess> {
  const { folder, ports, place, programs, onProcess, onExit, signal } = setup
  const { command, args } = userCommand(setup, join(programs, 'postgres'), [
    '-D',
    join(folder, name),
    '-p',
    `${ports[name]}`,
  ])
  return startGrownProcess({
    name: `PostgreSQL (${name})`,
    place,
    port: ports[name],
    command,
    args,
    isReady: readyText('database system is ready to accept'),
    ...(onProcess && { onProcess }),
    ...(onExit && { onExit }),
    ...(signal && { signal }),
  })
}

async function waitUntilInSync(setup: Setup): Promise<void> {
  while ((await query(setup, 'primary', 'select sync_state from pg_stat_replication')) !== 'sync') {
    setup.signal?.throwIfAborted()
    await sleep(pollMs)
  }
}

async function query(setup: Setup, server: 'primary' | 'replica', statement: string): Promise<string> {
  const place = ['-h', setup.place.host, '-p', `${setup.ports[server]}`, '-U', userName, '-d', 'postgres']
  const options = ['-X', '-A', '-t', '-q', '-v', 'ON_ERROR_STOP=1', '-c', statement]
  return runAsUser(setup, 'psql', [...place, ...options])
}

async function runAsUser(setup: Setup, program: string, args: readonly string[]): Promise<string> {
  const { programs, folder, password } = setup
  const { command, args: all } = userCommand(setup, join(programs, program), args)
  const { stdout } = await run(command, all, { cwd: folder, env: { ...process.env, PGPASSWORD: password } })
  return stdout.trim()
}

/** The password of the replica's connection is in its recovery configuration, which only PostgreSQL's user can read. */
function userCommand({ user }: Setup, program: string, args: readonly string[]): { command: string; args: string[] } {
  if (user === undefined) return { command: program, args: [...args] }
  return {
    command: 'setpriv',
    args: [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', program, ...args],
  }
}
