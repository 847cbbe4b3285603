import Fastify from 'fastify'
import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { apiMigrations } from '../../schema/apiMigrations.ts'
import { createTestDatabase } from '../../testing/index.ts'
import { createSpamMarks } from './spamMarks.ts'
import { createSpamReports, type SpamReport, type SpamReports, type SpamReportLimits } from './spamReports.ts'

const dayMs = 86_400_000
const { log } = Fastify({ logger: false })
const secret = new Uint8Array(32).fill(7)

let database: Database
let now: number

beforeEach(async () => {
  now = Date.parse('2026-11-27T12:00:00Z')
  const created = await createTestDatabase()
  database = await openDatabase({ databaseUrl: created.url, dataDir: '' }, log)
  onTestFinished(async () => {
    await database.close()
    await created.close()
  })
  await migrate(database.kysely, apiMigrations, 'api')
})

const openReports = (limits?: SpamReportLimits): SpamReports =>
  createSpamReports({ database, clock: { now: () => now }, secret, limits })

const reportOf = (client: string, asset = '0xa', more: Partial<SpamReport> = {}): SpamReport => ({
  chain: 'eip155:1',
  asset,
  project: 'p',
  client,
  ...more,
})

async function countRows(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from spam_report`.execute(database.kysely)
  return rows[0]?.count ?? 0
}

test('a client that reports a token 1,000 times counts once', async () => {
  const reports = openReports()
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(Array.from({ length: 50 }, () => reports.add(reportOf('10.0.0.1'))))
  }
  expect(await countRows()).toBe(1)
  expect(await reports.listReportedBy(2)).toEqual([])
  await reports.add(reportOf('10.0.0.2'))
  expect(await reports.listReportedBy(2)).toEqual([{ chain: 'eip155:1', asset: '0xa' }])
})

test('reports of one client in several projects count once', async () => {
  const reports = openReports()
  for (const project of ['a', 'b', 'c']) await reports.add(reportOf('10.0.0.1', '0xa', { project }))
  expect(await countRows()).toBe(3)
  expect(await reports.listReportedBy(2)).toEqual([])
})

test('a client can report a limited number of tokens in 90 days', async () => {
  const reports = openReports({ perClient: 3, stored: 100, checkEvery: 1, listed: 10 })
  const add = (asset: string) => reports.add(reportOf('10.0.0.1', asset))
  expect([await add('0x1'), await add('0x2'), await add('0x3'), await add('0x4')]).toEqual([true, true, true, false])
  expect(await countRows()).toBe(3)
  now += 90 * dayMs
  expect(await add('0x4')).toBe(true)
  expect(await countRows()).toBe(1)
})

test('a flood of clients does not fill the storage', async () => {
  const reports = openReports({ perClient: 10, stored: 20, checkEvery: 10, listed: 5 })
  for (let client = 0; client <= 100; client += 1) {
    now += 1
    await reports.add(reportOf(`10.0.0.${client}`, `0x${client}`))
  }
  expect(await countRows()).toBe(20)
  expect(await reports.listReportedBy(1)).toHaveLength(5)
})

test('no client address is stored', async () => {
  await openReports().add(reportOf('203.0.113.7'))
  const { rows } = await sql`select * from spam_report`.execute(database.kysely)
  expect(JSON.stringify(rows)).not.toContain('203.0.113.7')
  expect(rows[0]).toMatchObject({ reporter: expect.objectContaining({ length: 16 }) })
})

const chain = {
  caipNetworkId: 'eip155:1' as const,
  name: 'One',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: [],
  tokens: [{ address: '0xB', name: 'B', symbol: 'B', decimals: 18 }],
  spamTokens: ['0xC'],
}

test('a token is marked by the operator or by enough clients, and a listed one never', async () => {
  const reports = openReports()
  const marks = (threshold: number | undefined) =>
    createSpamMarks({ chains: [chain], reports, threshold, clock: { now: () => now }, log })
  for (const asset of ['0xa', '0xb']) {
    for (const client of ['10.0.0.1', '10.0.0.2']) await reports.add(reportOf(client, asset))
  }
  const marked = async (threshold: number | undefined): Promise<readonly string[]> => {
    const isMarked = await marks(threshold).get()
    return ['0xA', '0xB', '0xC', '0xD'].filter((asset) => isMarked(`eip155:1:${asset}`))
  }
  expect(await marked(undefined)).toEqual(['0xC'])
  expect(await marked(2)).toEqual(['0xA', '0xC'])
  expect(await marked(3)).toEqual(['0xC'])
})

test('marks are read once a minute, and stay if the database does not respond', async () => {
  let requested = 0
  let isDown = false
  const reports: SpamReports = {
    add: async () => true,
    async listReportedBy() {
      requested += 1
      if (isDown) throw new Error('away')
      return [{ chain: 'eip155:1', asset: '0xa' }]
    },
  }
  const marks = createSpamMarks({ chains: [chain], reports, threshold: 2, clock: { now: () => now }, log })
  await Promise.all([marks.get(), marks.get(), marks.get()])
  expect(requested).toBe(1)
  isDown = true
  now += 60_000
  expect((await marks.get())('eip155:1:0xA')).toBe(true)
  expect(requested).toBe(2)
})
