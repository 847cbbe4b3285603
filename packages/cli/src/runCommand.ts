import { isLatchkeyError } from '@latchkey/protocol'
import { defineCommand, renderUsage, runCommand as runCitty, type CommandDef } from 'citty'
import pc from 'picocolors'
import { createProject, templates } from './create/createProject.ts'
import { installDependencies } from './create/installDependencies.ts'
import { chooseTemplate } from './create/chooseTemplate.ts'
import { diagnose } from './doctor/diagnose.ts'
import type { Finding, Severity } from './doctor/finding.ts'
import { createProgress } from './progress.ts'
import { isServerCommand, runServer } from './serve/runServer.ts'

const exitCodes = { success: 0, problems: 1, usage: 2 }

/** The terminal, or a replacement in tests. */
export type Terminal = { write(line: string): void; isLive: boolean }

const systemTerminal: Terminal = {
  write: (line) => void process.stdout.write(`${line}\n`),
  isLive: process.stdout.isTTY && process.env['CI'] === undefined,
}

/**
 * Runs a command line.
 *
 * @returns the exit code: 0 without problems, 1 if `doctor` found one, `create` failed or the server is not installed, 2 for a wrong
 * command line. A command of the server sets its own when it ends
 */
export async function runCommand(args: readonly string[], terminal: Terminal = systemTerminal): Promise<number> {
  const outcome = { code: exitCodes.success }
  const main = createMain(terminal, outcome)
  const [name] = args
  if (name !== undefined && isServerCommand(name)) return runServerCommand(args, terminal)
  const command = commandsOf(terminal, outcome)[name ?? '']
  if (name === undefined || command === undefined || args.includes('--help') || args.includes('-h')) {
    terminal.write(await renderUsage(command ?? main, command === undefined ? undefined : main))
    return name === undefined || command !== undefined || name.startsWith('-') ? exitCodes.success : exitCodes.usage
  }
  try {
    await runCitty(main, { rawArgs: [...args] })
    return outcome.code
  } catch (error) {
    terminal.write(pc.red(error instanceof Error ? error.message : String(error)))
    const isUsage = isLatchkeyError(error, 'config/invalid') || (error instanceof Error && error.name === 'CLIError')
    return isUsage ? exitCodes.usage : exitCodes.problems
  }
}

async function runServerCommand(args: readonly string[], { write }: Terminal): Promise<number> {
  if (await runServer(args, process.cwd())) return exitCodes.success
  write(pc.red(`latchkey ${args[0] ?? ''} needs the server, which is not installed.`))
  write('Install it in this folder: npm install @latchkey/server')
  return exitCodes.problems
}

type Outcome = { code: number }

function createMain(terminal: Terminal, outcome: Outcome): CommandDef {
  return defineCommand({
    meta: {
      name: 'latchkey',
      description: 'Creates apps with Latchkey, finds problems in their setup, and runs the server.',
    },
    subCommands: commandsOf(terminal, outcome),
  })
}

function commandsOf(terminal: Terminal, outcome: Outcome): Record<string, CommandDef> {
  // The commands have arguments of their own, which the type of a record does not name.
  const own = { create: createCommand(terminal) as CommandDef, doctor: doctorCommand(terminal, outcome) as CommandDef }
  return { ...own, ...serverCommands }
}

/** The server has the arguments of its commands, so only the list of commands shows these. */
const serverCommands: Readonly<Record<string, CommandDef>> = {
  serve: defineCommand({
    meta: {
      name: 'serve',
      description: 'Runs @latchkey/server, or its command: backup, restore, migrate, keys, projects, bans.',
    },
  }),
  projects: defineCommand({
    meta: { name: 'projects', description: 'Lists, adds and removes projects of @latchkey/server.' },
  }),
  keys: defineCommand({ meta: { name: 'keys', description: 'Rotates the keys of @latchkey/server.' } }),
}

function createCommand({ write, isLive }: Terminal) {
  return defineCommand({
    meta: { name: 'create', description: 'Creates an app that connects wallets.' },
    args: {
      name: { type: 'positional', description: 'the folder of the app', required: true },
      template: { type: 'string', description: templates.join(', ') },
      install: { type: 'boolean', default: true, description: 'installs the dependencies' },
    },
    async run({ args }) {
      const template = args.template ?? (isLive ? await chooseTemplate() : templates[0])
      const progress = createProgress(write, isLive)
      progress.step(`Creating ${args.name}`)
      const folder = await createProject({ folder: args.name, template })
      if (args.install) {
        progress.step('Installing dependencies')
        await installDependencies(folder)
      }
      progress.end(`Created ${args.name}.`)
      write(`Next: cd ${args.name}${args.install ? '' : ' && npm install'} && npm run dev`)
    },
  })
}

function doctorCommand({ write, isLive }: Terminal, outcome: Outcome) {
  return defineCommand({
    meta: { name: 'doctor', description: 'Finds problems in the setup of an app.' },
    args: {
      target: { type: 'positional', description: 'the folder of an app, or the URL of its page', default: '.' },
      relay: { type: 'string', description: 'the URL of the relay (wss://…)' },
      server: { type: 'string', description: 'the URL of the data service' },
      frame: { type: 'string', description: "the URL of the embedded wallet's frame" },
      rpc: { type: 'string', description: 'the URL of a node' },
      project: { type: 'string', description: 'the project id of the app, for the relay and the data service' },
      origin: { type: 'string', description: "the origin of the app's page, if the target is a folder" },
    },
    async run({ args: { target, relay, server, frame, rpc, project, origin } }) {
      const progress = createProgress(write, isLive)
      const findings = await diagnose(target, { relay, server, frame, rpc, project, origin, onStep: progress.step })
      const problems = findings.filter(({ severity }) => severity === 'problem').length
      progress.end(`Checked ${target}.`)
      for (const finding of findings) write(formatFinding(finding))
      write(problems === 0 ? 'No problems found.' : `${problems} ${problems === 1 ? 'problem' : 'problems'} found.`)
      if (problems > 0) outcome.code = exitCodes.problems
    },
  })
}

const marks: Readonly<Record<Severity, string>> = {
  problem: pc.red('problem'),
  warning: pc.yellow('warning'),
  ok: pc.green('ok'),
}

function formatFinding({ severity, text, advice }: Finding): string {
  return [`${marks[severity]}  ${text}`, ...(advice === undefined ? [] : [`         ${advice}`])].join('\n')
}
