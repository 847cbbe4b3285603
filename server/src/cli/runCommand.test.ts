import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, startTestServer } from '../testing/index.ts'
import { runCommand, usage, UsageError } from './runCommand.ts'

const { log } = Fastify({ logger: false })

async function runTestCommand(environment: Record<string, string>, ...args: string[]): Promise<readonly string[]> {
  const lines: string[] = []
  await runCommand(args, { environment, log, print: (line) => void lines.push(line), serve: async () => {} })
  return lines
}

test.each([[], ['serve']])('the command line (%s) runs the server', async (...args: readonly string[]) => {
  let isServing = false
  const serve = async (): Promise<void> => void (isServing = true)
  await runCommand(args, { environment: {}, log, print: () => undefined, serve })
  expect(isServing).toBe(true)
})

test.each([['help'], ['--help'], ['serve', '--help'], ['keys', '-h']])(
  'the command line (%s %s) prints the usage',
  async (...args) => {
    expect(await runTestCommand({}, ...args)).toEqual([usage])
  },
)

test.each([
  ['unknown'],
  ['--unknown'],
  ['backup'],
  ['restore'],
  ['migrate'],
  ['migrate', 'up'],
  ['migrate', 'version', 'now'],
  ['keys'],
  ['keys', 'rotate'],
  ['keys', 'melt', 'auth'],
  ['projects'],
  ['projects', 'remove'],
  ['bans'],
  ['bans', 'add'],
  ['bans', 'add', '203.0.113.7', '203.0.113.8'],
])('a wrong command line (%s) fails with the usage', async (...args) => {
  await expect(runTestCommand({}, ...args)).rejects.toThrow(new UsageError(usage))
})

test('projects are added, listed and removed in the database, over those of the configuration', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.close())
  const configured = 'cd'.repeat(16)
  const environment = {
    DATABASE_URL: database.url,
    PROJECTS: JSON.stringify([{ id: configured, allowedOrigins: ['https://old.example'] }]),
  }
  const [added = ''] = await runTestCommand(environment, 'projects', 'add', 'https://app.example.org', '*.example.com')
  const id = /[0-9a-f]{32}/.exec(added)?.[0] ?? ''
  await runTestCommand(environment, 'projects', 'add', `--id=${'ab'.repeat(16)}`)
  const listed = await runTestCommand(environment, 'projects', 'list')
  expect(listed.toSorted()).toEqual(
    [
      `${id}  https://app.example.org *.example.com`,
      `${'ab'.repeat(16)}  any origin`,
      `${configured}  https://old.example`,
    ].toSorted(),
  )
  await runTestCommand(environment, 'projects', 'remove', id)
  await runTestCommand(environment, 'projects', 'remove', configured)
  expect(await runTestCommand(environment, 'projects', 'list')).toEqual([`${'ab'.repeat(16)}  any origin`])
  await expect(runTestCommand(environment, 'projects', 'remove', id)).rejects.toThrow(`There is no project ${id}.`)
  await expect(runTestCommand(environment, 'projects', 'add', `--id=${'ab'.repeat(16)}`)).rejects.toThrow('exists')
  await expect(runTestCommand(environment, 'projects', 'add', '--id=short')).rejects.toThrow('PROJECTS')
})

test('bans are added once, listed and removed', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.close())
  const environment = { DATABASE_URL: database.url }
  expect(await runTestCommand(environment, 'bans', 'add', '203.0.113.9/24')).toEqual(['Banned 203.0.113.0/24.'])
  await runTestCommand(environment, 'bans', 'add', '203.0.113.0/24')
  await runTestCommand(environment, 'projects', 'ban', 'ab'.repeat(16))
  expect(await runTestCommand(environment, 'bans', 'list')).toEqual(['203.0.113.0/24', 'ab'.repeat(16)])
  await runTestCommand(environment, 'bans', 'remove', '203.0.113.0/24')
  expect(await runTestCommand(environment, 'bans', 'list')).toEqual(['ab'.repeat(16)])
  await expect(runTestCommand(environment, 'bans', 'remove', '203.0.113.0/24')).rejects.toThrow('is not banned')
  await expect(runTestCommand(environment, 'bans', 'add', '0.0.0.0/0')).rejects.toThrow('has 16 to 32 bits')
})

test('a change reaches the databases of the key services, which their processes read', async () => {
  const databases = await Promise.all([createTestDatabase(), createTestDatabase(), createTestDatabase()])
  onTestFinished(async () => void (await Promise.all(databases.map((database) => database.close()))))
  const [server, auth, shares] = databases.map(({ url }) => url)
  const places = { AUTH_DATABASE_URL: auth ?? '', SHARES_DATABASE_URL: shares ?? '' }
  await runTestCommand({ ...places, DATABASE_URL: server ?? '' }, 'bans', 'add', '203.0.113.7')
  for (const url of [server, auth, shares]) {
    expect(await runTestCommand({ DATABASE_URL: url ?? '' }, 'bans', 'list')).toEqual(['203.0.113.7'])
  }
})

test('the check passes while the server responds, including for a server on all addresses', async () => {
  const server = await startTestServer({ services: ['relay'] })
  const { port } = new URL(server.url)
  expect(await runTestCommand({ PORT: port, HOST: '0.0.0.0' }, 'check')).toEqual([])
  await server.close()
  await expect(runTestCommand({ PORT: port }, 'check')).rejects.toThrow(
    `does not respond at http://127.0.0.1:${port}/live.`,
  )
})
