import type { FastifyBaseLogger } from 'fastify'
import { readConfig } from '../config.ts'
import type { Environment } from '../kit/config/variables.ts'
import { checkServer } from './checkServer.ts'
import { rotatedKeys } from './rotatedKeys.ts'
import { changeProjects, listProjects } from './changeProjects.ts'

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
export const usage = `Usage: cli.js COMMAND
  serve                            runs the server until SIGTERM
  check                            exits with 0 if the server on this machine responds
  backup FILE [--without-data-keys]
                                   writes the databases of SERVICES to a file, while the server runs
  restore FILE [--replace]         restores them into empty databases, or replaces their tables; stop the server first
  keys prepare auth|shares|api     adds a key that does not seal yet; restart all processes, then rotate
  keys rotate auth|shares|api      seals everything with the new key
  keys clean auth|shares|api       removes the older keys
  projects list                    lists the projects that may use the server
  projects add [--id=ID] ORIGIN…   adds a project to PROJECTS_FILE; restart all processes
  projects remove ID               removes one
The variables of the server configure all commands.`

/**
 * Runs one command of the operator.
 *
 * @param args the command line, without the program
 * @throws UsageError for a wrong command line, Error with a sentence if the command fails
 */
export async function runCommand(args: readonly string[], context: CommandContext): Promise<void> {
  const { environment, print, serve } = context
  const flags = args.filter((each) => each.startsWith('--'))
  const [command, ...words] = args.filter((each) => !each.startsWith('--'))
  const [first] = words
  switch (command) {
    case 'serve':
      return serve()
    case 'check':
      return checkServer(readConfig(environment))
    case 'backup':
    case 'restore':
      if (first === undefined) break
      return runDatabaseCommand(command, first, flags, context)
    case 'keys':
      return runKeysCommand(words, context)
    case 'projects':
      return runProjectsCommand(words, flags, { environment, print })
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
  const config = readConfig(context.environment)
  if (command === 'backup') {
    const { backupDatabases } = await import('./backupDatabases.ts')
    return backupDatabases(config, file, { ...context, withoutDataKeys: flags.includes('--without-data-keys') })
  }
  const { restoreDatabases } = await import('./restoreDatabases.ts')
  return restoreDatabases(config, file, { ...context, replaces: flags.includes('--replace') })
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

async function runProjectsCommand(
  [action, ...words]: readonly string[],
  flags: readonly string[],
  { environment, print }: Pick<CommandContext, 'environment' | 'print'>,
): Promise<void> {
  const [first] = words
  if (action === 'list') return listProjects(environment).forEach(print)
  if (action === 'add') {
    const id = flags.find((flag) => flag.startsWith('--id='))?.slice('--id='.length)
    return print(`Added ${await changeProjects(environment, { add: words, id })}. Restart all processes.`)
  }
  if (action === 'remove' && first !== undefined) {
    return print(`Removed ${await changeProjects(environment, { remove: first })}. Restart all processes.`)
  }
  throw new UsageError(usage)
}
