import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer } from '../testing/index.ts'
import { runCommand, usage, UsageError } from './runCommand.ts'

const { log } = Fastify({ logger: false })
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-cli-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function command(environment: Record<string, string>, ...args: string[]): Promise<readonly string[]> {
  const lines: string[] = []
  await runCommand(args, { environment, log, print: (line) => void lines.push(line), serve: async () => {} })
  return lines
}

test.each([
  [],
  ['help'],
  ['backup'],
  ['restore'],
  ['keys'],
  ['keys', 'rotate'],
  ['keys', 'melt', 'auth'],
  ['projects'],
])('a wrong command line (%s) fails with the usage', async (...args) => {
  await expect(command({}, ...args)).rejects.toThrow(new UsageError(usage))
})

test('projects are added, listed and removed in their file', async () => {
  const environment = { PROJECTS_FILE: join(folder, 'projects.json') }
  const [added = ''] = await command(environment, 'projects', 'add', 'https://app.example.org', '*.example.com')
  const id = /[0-9a-f]{32}/.exec(added)?.[0] ?? ''
  await command(environment, 'projects', 'add', `--id=${'ab'.repeat(16)}`)
  expect(await command(environment, 'projects', 'list')).toEqual([
    `${id}  https://app.example.org *.example.com`,
    `${'ab'.repeat(16)}  any origin`,
  ])
  await command(environment, 'projects', 'remove', id)
  expect(await command(environment, 'projects', 'list')).toEqual([`${'ab'.repeat(16)}  any origin`])
  const before = await readFile(environment.PROJECTS_FILE, 'utf8')
  await expect(command(environment, 'projects', 'remove', id)).rejects.toThrow(`There is no project ${id}.`)
  await expect(command(environment, 'projects', 'add', `--id=${'ab'.repeat(16)}`)).rejects.toThrow('exists')
  await expect(command(environment, 'projects', 'add', '--id=short')).rejects.toThrow('PROJECTS')
  expect(await readFile(environment.PROJECTS_FILE, 'utf8')).toBe(before)
})

test('projects in a variable are not changed by a command', async () => {
  await expect(command({ PROJECTS: '[]' }, 'projects', 'add')).rejects.toThrow('Set PROJECTS_FILE')
  await expect(command({}, 'projects', 'add')).rejects.toThrow('Set PROJECTS_FILE')
})

test('the check passes while the server responds, also for a server on all addresses', async () => {
  const server = await startTestServer({ services: ['relay'] })
  const { port } = new URL(server.url)
  expect(await command({ PORT: port, HOST: '0.0.0.0' }, 'check')).toEqual([])
  await server.close()
  await expect(command({ PORT: port }, 'check')).rejects.toThrow(`does not respond at http://127.0.0.1:${port}/live.`)
})
