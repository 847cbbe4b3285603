import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildProgram, type BuiltProgram, type ProgramRun } from './testing/buildProgram.ts'
import { connectRelayClient, createClientKey } from './testing/relayClient.ts'

const topic = 'ab'.repeat(32)

let dataDir = ''
let program: BuiltProgram

beforeAll(async () => {
  program = await buildProgram('main.ts')
  dataDir = await mkdtemp(join(tmpdir(), 'latchkey-main-'))
  // PostgreSQL may have to run as another user, who could not get in.
  await chmod(dataDir, 0o755)
})

afterAll(async () => {
  await program.remove()
  await rm(dataDir, { recursive: true, force: true })
})

function start(environment: Record<string, string>): ProgramRun {
  const defaults = { SERVICES: 'relay', LIMITS: 'local', PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn' }
  return program.start({ ...defaults, ...environment })
}

async function publish(url: string, message: string, client = createClientKey()): Promise<unknown> {
  const publisher = await connectRelayClient(`${url.replace('http', 'ws')}/relay`, { key: client })
  const { result } = await publisher.request('irn_publish', { topic, message, ttl: 300, tag: 0 })
  await publisher.close()
  return result
}

async function listWaitingMessages(url: string): Promise<readonly string[]> {
  const reader = await connectRelayClient(`${url.replace('http', 'ws')}/relay`)
  const { result } = await reader.request('irn_fetchMessages', { topic })
  await reader.close()
  return (result as { messages: { message: string }[] }).messages.map(({ message }) => message)
}

test('lists everything that is wrong with its configuration, and does not start', { tags: 'faults' }, async () => {
  const { code, output } = await start({ PORT: 'eighty', LIMITS: 'none', DATABASE_URL: 'mysql://localhost' }).ended
  expect(code).toBe(1)
  expect(output).toContain('PORT: must be a whole number from 0 to 65535')
  expect(output).toContain('LIMITS: must be public or local')
  expect(output).toContain('DATABASE_URL: must begin with postgres://')
  expect(output).not.toContain('    at ')
})

test('reports in one sentence that its database cannot be reached', { tags: 'faults' }, async () => {
  const { code, output } = await start({ DATABASE_URL: 'postgres://app:secret@127.0.0.1:1/app' }).ended
  expect(code).toBe(1)
  expect(output.trim().split('\n')).toHaveLength(1)
  expect(output).toContain('The database at 127.0.0.1:1/app cannot be used')
  expect(output).not.toContain('secret')
})

describe('on its own database', () => {
  test(
    'is ready, stops on SIGTERM with code 0 and nothing left behind, and finds its data again',
    { tags: 'faults' },
    async () => {
      const first = start({ COMMIT_HASH: 'abcdef0' })
      const url = await first.ready
      expect(await (await fetch(`${url}/health`)).json()).toEqual({
        status: 'ok',
        database: 'reachable',
        services: ['relay'],
      })
      const text = await fetch(`${url}/health`, { headers: { accept: 'text/plain' } })
      const packageFile = await readFile(new URL('../package.json', import.meta.url), 'utf8')
      const { version } = JSON.parse(packageFile) as { version: string }
      expect((await text.text()).replace(/\d+ seconds$/, 'n seconds')).toBe(
        `OK v${version}, commit hash: abcdef0, features: relay, uptime: n seconds`,
      )
      expect(await publish(url, 'kept')).toBe(true)
      first.child.kill('SIGTERM')
      // A terminal and a parent send a signal each.
      first.child.kill('SIGINT')
      expect((await first.ended).code).toBe(0)
      await expect(readFile(join(dataDir, 'postgres/cluster/postmaster.pid'))).rejects.toThrow('ENOENT')

      const second = start({})
      expect(await listWaitingMessages(await second.ready)).toEqual(['kept'])
      second.child.kill('SIGTERM')
      expect((await second.ended).code).toBe(0)
    },
  )

  test('loses no confirmed message when it is killed repeatedly [R-01]', { tags: 'faults' }, async () => {
    const confirmed = new Set(['kept'])
    const publisher = createClientKey()
    for (const round of [1, 2]) {
      const server = start({})
      const url = await server.ready
      const client = await connectRelayClient(`${url.replace('http', 'ws')}/relay`, { key: publisher })
      const published = Array.from({ length: 200 }, async (_, index) => {
        const message = `round ${round} message ${index}`
        const { result } = await client.request('irn_publish', { topic, message, ttl: 300, tag: 0 })
        if (result === true) confirmed.add(message)
        // Some are on their way at this moment.
        if (index === 60) server.child.kill('SIGKILL')
      })
      await Promise.allSettled(published)
      await server.ended
    }
    const last = start({})
    const url = await last.ready
    const found: string[] = []
    const reader = await connectRelayClient(`${url.replace('http', 'ws')}/relay`)
    for (let page = await fetchPage(reader); page.length > 0; page = await fetchPage(reader)) found.push(...page)
    await reader.close()
    last.child.kill('SIGTERM')
    expect((await last.ended).code).toBe(0)

    expect(confirmed.size).toBeGreaterThan(100)
    expect([...confirmed].filter((message) => !found.includes(message))).toEqual([])
    expect(found.filter((message) => !/^(kept|round [12] message \d+)$/.test(message))).toEqual([])
    expect(new Set(found).size).toBe(found.length)
    // Each round was published in order, so it is kept in order.
    const order = found.filter((message) => message !== 'kept').map((message) => message.match(/\d+/g)?.map(Number))
    expect(order).toEqual(order.toSorted(([a = 0, b = 0] = [], [c = 0, d = 0] = []) => a - c || b - d))
  })

  test('refuses data that another server uses, and a port that is taken', { tags: 'faults' }, async () => {
    const first = start({})
    await first.ready
    const second = await start({}).ended
    expect(second.code).toBe(1)
    expect(second.output).toContain(`Another server uses the data in ${dataDir}: stop it, or set DATA_DIR.`)
    first.child.kill('SIGTERM')
    await first.ended

    const occupant = await occupyPort()
    const address = occupant.address()
    const port = typeof address === 'object' ? String(address?.port) : ''
    const third = await start({ PORT: port }).ended
    occupant.close()
    expect(third.code).toBe(1)
    expect(third.output.trim()).toBe(`Port ${port} is taken. Free it, or set PORT to another one.`)
    await expect(readFile(join(dataDir, 'postgres/cluster/postmaster.pid'))).rejects.toThrow('ENOENT')
  })

  test('leaves no database behind when it is stopped while it starts', { tags: 'faults' }, async () => {
    const server = start({})
    const pid = join(dataDir, 'postgres/cluster/postmaster.pid')
    await expect.poll(() => existsSync(pid), { interval: 10 }).toBe(true)
    server.child.kill('SIGTERM')
    expect((await server.ended).code).toBe(0)
    expect(existsSync(pid)).toBe(false)
  })
})

async function fetchPage(reader: Awaited<ReturnType<typeof connectRelayClient>>): Promise<readonly string[]> {
  const { result } = await reader.request('irn_fetchMessages', { topic })
  return (result as { messages: { message: string }[] }).messages.map(({ message }) => message)
}

function occupyPort(): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => resolve(server))
  })
}
