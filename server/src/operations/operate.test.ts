import { execFile, spawnSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startMail, type LocalMail } from '@latchkey/devnet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { variableNames } from '../config.ts'
import { freePort } from '../kit/runtime/freePort.ts'
import { buildProgram, type BuiltProgram, type ProgramRun } from '../testing/buildProgram.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../..', import.meta.url))
const page = await readFile(join(root, 'docs/operate.md'), 'utf8')

/** A block of commands of the page, with the text before it. */
type Block = { info: string; commands: readonly string[]; before: string }

/** Lists the blocks of shell commands. A line that ends in a backslash continues. */
function listBlocks(): readonly Block[] {
  return [...page.matchAll(/```sh(.*)\n([\s\S]*?)```/g)].map(({ 1: info = '', 2: text = '', index }) => ({
    info: info.trim(),
    commands: text.replaceAll('\\\n', '').trim().split('\n'),
    before: page.slice(0, index).trimEnd().split('\n\n').at(-1) ?? '',
  }))
}

let folder = ''
let mail: LocalMail
let program: BuiltProgram
let environment: Record<string, string> = {}
let server: ProgramRun | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-operate-'))
  // PostgreSQL may run as another user, who needs access.
  await chmod(folder, 0o755)
  mail = await startMail()
  program = await buildProgram('cli.ts')
  const [port, metricsPort] = [await freePort(), await freePort()]
  environment = {
    PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}:/usr/sbin`,
    SERVICES: 'relay,api,auth,shares',
    LIMITS: 'local',
    LOG_LEVEL: 'warn',
    PORT: String(port),
    DATA_DIR: folder,
    MAIL_URL: mail.url,
    METRICS_PORT: String(metricsPort),
    METRICS_TOKEN: 'token of the test, 24 ch',
  }
})

afterAll(async () => {
  await stop()
  await mail.close()
  await program.remove()
  await rm(folder, { recursive: true, force: true })
})

async function stop(): Promise<void> {
  server?.child.kill('SIGTERM')
  await server?.ended
  server = undefined
}

async function restart(): Promise<void> {
  await stop()
  server = program.start(environment, ['serve'])
  await server.ready
}

/** Runs a command of the page on the program and the ports of the test. */
async function runDocumented(command: string): Promise<string> {
  const { PORT: port = '', METRICS_PORT: metricsPort = '' } = environment
  const line = command
    .replace('server/dist/cli.js', program.path)
    .replace('127.0.0.1:4602', `127.0.0.1:${port}`)
    .replace('127.0.0.1:4609', `127.0.0.1:${metricsPort}`)
    .replaceAll('deploy/', `${root}deploy/`)
  const { stdout } = await run('sh', ['-c', line], { env: environment, cwd: folder })
  return stdout
}

test(
  'each command of docs/operate.md succeeds in its order, on the embedded database',
  { tags: 'faults' },
  async () => {
    const outputs: string[] = []
    for (const { info, commands } of listBlocks().filter((block) => block.info.startsWith('run'))) {
      for (const command of commands) {
        // The first project is added before the first start.
        const isEarly = command.includes('projects') && outputs.length < 2
        if (info === 'run stopped' || isEarly) await stop()
        else if (server === undefined || command.includes(' keys ')) await restart()
        outputs.push(`${command}: ${await runDocumented(command)}`)
      }
    }
    await restart()
    const output = outputs.join('\n')
    expect(output).toContain('The server is ready.')
    expect(output).toContain('https://app.example.org')
    expect(output).toContain('203.0.113.0/24')
    expect(output).toContain('latchkey_relay_connections')
    expect(output).toContain('<h1>State of this process</h1>')
    expect(output).toContain('The backup is restored.')
    expect(output).toContain('SUCCESS')
    expect(outputs.length).toBeGreaterThan(10)
  },
)

test('each block that no test runs has a reason before it', () => {
  const others = listBlocks().filter((block) => !block.info.startsWith('run'))
  expect(others.filter(({ before }) => !/^_Not run by a test\b.*_$/s.test(before))).toEqual([])
  expect(others.length).toBeGreaterThan(0)
})

test('commands of blocks that no test runs are at least valid shell', () => {
  for (const { commands } of listBlocks()) {
    expect(spawnSync('sh', ['-n', '-c', commands.join('\n')]).stderr.toString()).toBe('')
  }
})

test('the table of docs/operate.md has every variable of the server, and no other', () => {
  const section = page.slice(page.indexOf('## Configuration'), page.indexOf('## Monitoring'))
  const documented = [...section.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name]) => name)
  expect(documented.toSorted()).toEqual(variableNames.toSorted())
})
