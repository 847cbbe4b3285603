import Fastify from 'fastify'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { openDatabase } from './database.ts'
import { watchProcesses } from './watchProcesses.ts'

const { log } = Fastify({ logger: false })
const ids = { relay: 20, api: 21 } as const

let postgres: TestPostgres

beforeAll(async () => {
  postgres = await createTestDatabase()
})
afterAll(() => postgres.close())

async function startProcess(services: readonly (keyof typeof ids)[]) {
  const database = await openDatabase({ databaseUrl: postgres.url, dataDir: '' }, log)
  const processes = await watchProcesses({ database, services, ids, log })
  const found: string[] = []
  for (const service of services) processes.onOther(service, () => found.push(service))
  const close = async (): Promise<void> => {
    await processes.close()
    await database.close()
  }
  onTestFinished(close)
  return { found, processes, close }
}

test('processes of one service find each other, and no processes of other services', { tags: 'faults' }, async () => {
  const both = await startProcess(['relay', 'api'])
  const api = await startProcess(['api'])
  expect([both.found, api.found]).toEqual([[], ['api']])
  await vi.waitFor(() => expect(both.found).toEqual(['api']), 30_000)
  const listener = vi.fn()
  both.processes.onOther('api', listener)
  expect(listener).toHaveBeenCalledOnce()
})

test('a process that ended is not found', async () => {
  const ended = await startProcess(['relay'])
  await ended.close()
  const process = await startProcess(['relay'])
  expect(process.found).toEqual([])
})

test('a process whose connection broke is found again after it reconnects', { tags: 'faults' }, async () => {
  const first = await startProcess(['relay'])
  const admin = await openDatabase({ databaseUrl: postgres.url, dataDir: '' }, log)
  onTestFinished(admin.close)
  await admin.run(
    'break',
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = $1`,
    [ids.relay],
  )
  const second = await startProcess(['relay'])
  expect(second.found).toEqual([])
  await vi.waitFor(() => expect([first.found, second.found]).toEqual([['relay'], ['relay']]), 60_000)
})
