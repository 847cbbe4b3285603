import type { FastifyBaseLogger } from 'fastify'
import { readConfig } from '../config.ts'
import type { Environment } from '../kit/config/variables.ts'
import { backupDatabases } from './backupDatabases.ts'
import { checkServer } from './checkServer.ts'
import { cleanKeys, prepareKey, rotatedKeys, rotateKey, type RotatedKey } from './rotateKey.ts'
import { changeProjects, listProjects } from './changeProjects.ts'
import { restoreDatabases } from './restoreDatabases.ts'

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
      if (first === undefined) break
      return backupDatabases(readConfig(environment), first, {
        ...context,
        withoutDataKeys: flags.includes('--without-data-keys'),
      })
    case 'restore':
      if (first === undefined) break
      return restoreDatabases(readConfig(environment), first, { ...context, replaces: flags.includes('--replace') })
    case 'keys':
      return runKeysCommand(words, context)
    case 'projects':
      return runProjectsCommand(words, flags, { environment, print })
  }
  throw new UsageError(usage)
}

async function runKeysCommand([action, name]: readonly string[], context: CommandContext): Promise<void> {
  const config = readConfig(context.environment)
  const key = rotatedKeys.find((each) => each === name)
  const actions: Readonly<Record<string, typeof rotateKey>> = {
    prepare: prepareKey,
    rotate: rotateKey,
    clean: cleanKeys,
  }
  const run = action === undefined ? undefined : actions[action]
  if (key === undefined || run === undefined) throw new UsageError(usage)
  return run(config, key satisfies RotatedKey, context)
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
