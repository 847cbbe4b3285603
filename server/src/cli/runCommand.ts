import type { FastifyBaseLogger } from 'fastify'
import { readConfig } from '../config.ts'
import type { Environment } from '../kit/config/variables.ts'
import { checkServer } from './checkServer.ts'
import { rotatedKeys } from './rotatedKeys.ts'
import type { AccessCommands } from './openAccessCommands.ts'

export type CommandContext = {
  environment: Environment
  print(line: string): void
  log: FastifyBaseLogger
  /** Runs the server until it is stopped. */
  serve(): Promise<void>
}

/** A command line that is wrong. Its message is the usage. */
export class UsageError extends Error {}

/** The commands with their arguments, for the usage. */
export const usage = `Usage: latchkey-server [COMMAND], or npx latchkey serve [COMMAND]
  serve                            runs the server until SIGTERM; the default
  help                             prints this text
  check                            exits with 0 if the server on this machine responds
  backup FILE [--without-data-keys]
                                   writes the databases of SERVICES to a file, while the server runs
  restore FILE [--replace]         restores them into empty databases, or replaces their tables; stop the server first
  archive FOLDER                   archives all writes of PostgreSQL until SIGTERM, with a base backup a week
  restore FOLDER --until=TIME --data=DATA_FOLDER
                                   prepares the empty data folder of PostgreSQL for the state of a time; stop it first
  migrate version                  prints the version of the tables of this release
  migrate --to=VERSION [--accept-loss]
                                   gives the databases of SERVICES the tables of an older release; stop the server first
  keys prepare auth|shares|api     adds a key that does not seal yet; restart all processes, then rotate
  keys rotate auth|shares|api      seals everything with the new key
  keys clean auth|shares|api       removes the older keys
  projects list                    lists the projects that may use the server
  projects add [--id=ID] ORIGIN…   adds a project
  projects remove ID               removes one
  projects ban ID                  refuses one, whatever the configuration says
  bans list                        lists what is refused
  bans add SUBJECT                 refuses a project id, a client id (did:key:…), an address, or a prefix such as
                                   203.0.113.0/24, 2001:db8:1:2::/64 or 2001:db8:1::/48
  bans remove SUBJECT              accepts it again
All running processes follow changes of projects and bans within seconds.
The variables of the server configure all commands.`

/**
 * Runs one command of the operator. An empty command line runs the server.
 *
 * @param args the command line, without the program
 * @throws UsageError for a wrong command line, Error with a sentence if the command fails
 */
export async function runCommand(args: readonly string[], context: CommandContext): Promise<void> {
  const { environment, print, serve } = context
  if (args.length === 0) return serve()
  if (args.some((each) => each === '--help' || each === '-h')) return print(usage)
  const flags = args.filter((each) => each.startsWith('--'))
  const [command, ...words] = args.filter((each) => !each.startsWith('--'))
  const [first] = words
  switch (command) {
    case 'serve':
      return serve()
    case 'help':
      return print(usage)
    case 'check':
      return checkServer(readConfig(environment))
    case 'archive':
      if (first === undefined) break
      return runArchiveCommand(first, context)
    case 'backup':
    case 'restore':
      if (first === undefined) break
      return runDatabaseCommand(command, first, flags, context)
    case 'migrate':
      return runMigrateCommand(words, flags, context)
    case 'keys':
      return runKeysCommand(words, context)
    case 'projects':
    case 'bans':
      return runAccessCommand([command, ...words], flags, context)
  }
  throw new UsageError(usage)
}

/** The commands load what they need, because the health check of a container runs every few seconds. */
async function runDatabaseCommand(
  command: 'backup' | 'restore',
  file: string,
  flags: readonly string[],
  context: CommandContext,
): Promise<void> {
  const until = findFlag(flags, 'until')
  if (command === 'restore' && until !== undefined) {
    const dataFolder = findFlag(flags, 'data')
    if (dataFolder === undefined) throw new UsageError(usage)
    const { restoreToTime } = await import('./archive/restoreToTime.ts')
    return restoreToTime({ folder: file, until, dataFolder, print: context.print })
  }
  const config = readConfig(context.environment)
  if (command === 'backup') {
    const { backupDatabases } = await import('./backupDatabases.ts')
    return backupDatabases(config, file, { ...context, withoutDataKeys: flags.includes('--without-data-keys') })
  }
  const { restoreDatabases } = await import('./restoreDatabases.ts')
  return restoreDatabases(config, file, { ...context, replaces: flags.includes('--replace') })
}

/** Archives until the process gets a signal to stop. */
async function runArchiveCommand(folder: string, { environment, print }: CommandContext): Promise<void> {
  const { archiveDatabase } = await import('./archive/archiveDatabase.ts')
  const { findArchivedServer } = await import('./archive/findArchivedServer.ts')
  const databaseUrl = findArchivedServer(readConfig(environment))
  const stopped = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stopped.abort())
  await archiveDatabase({ databaseUrl, folder, signal: stopped.signal, clock: { now: Date.now }, print })
}

/** Finds the value of a flag such as `--until=TIME`. */
function findFlag(flags: readonly string[], name: string): string | undefined {
  const start = `--${name}=`
  return flags.find((flag) => flag.startsWith(start))?.slice(start.length)
}

async function runMigrateCommand(
  words: readonly string[],
  flags: readonly string[],
  { environment, print, log }: CommandContext,
): Promise<void> {
  const version = findFlag(flags, 'to')
  const isVersionCommand = words.length === 1 && words[0] === 'version' && flags.length === 0
  if (!isVersionCommand && (words.length > 0 || version === undefined)) throw new UsageError(usage)
  const { formatSchemaVersion, migrateDatabases } = await import('./migrateDatabases.ts')
  if (version === undefined) return print(formatSchemaVersion())
  const acceptsLoss = flags.includes('--accept-loss')
  return migrateDatabases(readConfig(environment), { version, acceptsLoss, print, log })
}

async function runKeysCommand([action, name]: readonly string[], context: CommandContext): Promise<void> {
  const config = readConfig(context.environment)
  const key = rotatedKeys.find((each) => each === name)
  if (key === undefined) throw new UsageError(usage)
  const { cleanKeys, prepareKey, rotateKey } = await import('./rotateKey.ts')
  switch (action) {
    case 'prepare':
      return prepareKey(config, key, context)
    case 'rotate':
      return rotateKey(config, key, context)
    case 'clean':
      return cleanKeys(config, key, context)
  }
  throw new UsageError(usage)
}

async function runAccessCommand(
  words: readonly string[],
  flags: readonly string[],
  { environment, log, print }: CommandContext,
): Promise<void> {
  const run = findAccessCommand(words, flags)
  if (run === undefined) throw new UsageError(usage)
  const { openAccessCommands } = await import('./openAccessCommands.ts')
  const commands = await openAccessCommands(environment, log)
  try {
    for (const line of await run(commands)) print(line)
  } finally {
    await commands.close()
  }
}

type AccessCommand = (commands: AccessCommands) => Promise<readonly string[]>

function findAccessCommand(
  [list, action, first, ...others]: readonly string[],
  flags: readonly string[],
): AccessCommand | undefined {
  const command = `${list} ${action}`
  if (command === 'projects list') return (commands) => commands.listProjects()
  if (command === 'bans list') return (commands) => commands.listBans()
  if (command === 'projects add') {
    const id = findFlag(flags, 'id')
    const origins = first === undefined ? [] : [first, ...others]
    return async (commands) => [`Added ${await commands.addProject(origins, id)}.`]
  }
  if (first === undefined || others.length > 0) return undefined
  switch (command) {
    case 'projects remove':
      return async (commands) => {
        await commands.removeProject(first)
        return [`Removed ${first}.`]
      }
    case 'projects ban':
    case 'bans add':
      return async (commands) => [`Banned ${await commands.ban(first)}.`]
    case 'bans remove':
      return async (commands) => [`Removed the ban of ${await commands.unban(first)}.`]
  }
  return undefined
}
