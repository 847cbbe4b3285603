import { fork, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { addresses, startAnvil, type Anvil } from '@latchkey/devnet'
import { build } from 'esbuild'
import Fastify from 'fastify'
import { createTestClient, http, numberToHex, publicActions, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Database } from '../kit/database/database.ts'
import { createTestDatabase, type TestPostgres } from '../testing/database.ts'

const built = fileURLToPath(new URL(`../../.latchkey/killed-test-${process.pid}/main.mjs`, import.meta.url))
const caip = 'eip155:31337'
const rounds = 4
const { log } = Fastify({ logger: false })

let anvil: Anvil
let place: TestPostgres
let database: Database

beforeAll(async () => {
  const packageFile = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
  const { dependencies, optionalDependencies } = JSON.parse(packageFile) as Record<string, Record<string, string>>
  await build({
    entryPoints: [fileURLToPath(new URL('../main.ts', import.meta.url))],
    outfile: built,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['source'],
    external: Object.keys({ ...dependencies, ...optionalDependencies }).filter(
      (name) => !name.startsWith('@latchkey/'),
    ),
  })
  anvil = await startAnvil({ chainId: 31_337, port: 0 })
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, log)
})
afterAll(async () => {
  await database.close()
  await place.close()
  await anvil.close()
  await rm(join(built, '..'), { recursive: true, force: true })
})

const createNodeClient = () => createTestClient({ mode: 'anvil', transport: http(anvil.rpcUrl) }).extend(publicActions)

/** Mines blocks with payments, and many without. */
async function minePayments(paying: number, empty: number): Promise<void> {
  await createNodeClient().setAutomine(false)
  for (let each = 0; each < paying; each += 1) {
    const payments = addresses.map((from, at) => ({
      jsonrpc: '2.0',
      id: at,
      method: 'eth_sendTransaction',
      params: [
        { from, to: addresses[(at + 1 + each) % addresses.length], value: numberToHex(each + 1), gas: '0x5208' },
      ],
    }))
    await fetch(anvil.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payments),
    })
    await createNodeClient().mine({ blocks: 1 })
  }
  await createNodeClient().mine({ blocks: empty })
}

function start(): ChildProcess {
  const chain = {
    caipNetworkId: caip,
    name: 'Local',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: [anvil.rpcUrl],
    index: { from: 0 },
  }
  const env = {
    PATH: process.env['PATH'] ?? '',
    SERVICES: 'api',
    LIMITS: 'local',
    PORT: '0',
    LOG_LEVEL: 'error',
    // The bundle has no files next to it.
    BRAND_ICONS: 'off',
    DATABASE_URL: place.url,
    CHAINS: JSON.stringify([chain]),
  }
  return fork(built, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
}

const waitForExit = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => child.once('exit', () => resolve()))

async function getHead(): Promise<number> {
  const read = database.run<{ head: number }>('test-head', 'select head from index_chain where caip = $1', [caip])
  // Before the first start there is no table.
  const [row] = await read.catch(() => [])
  return row?.head ?? -1
}

/** Ends the lease of the killed process, after its last statements are done. */
async function forgetLeader(): Promise<void> {
  const active = `select pid from pg_stat_activity
    where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`
  await expect.poll(() => database.run('test-active', active, [])).toEqual([])
  await database.run('test-leader', 'update index_chain set leads_until = 0 where caip = $1', [caip])
}

/** All rows of the index, with the count of each. */
async function readIndex(): Promise<{ blocks: readonly string[]; transactions: readonly string[]; movements: number }> {
  const hashes = (table: string) =>
    database.run<{ hash: string }>(
      `test-${table}`,
      `select '0x' || encode(hash, 'hex') as hash from ${table} join index_chain using (chain) where caip = $1`,
      [caip],
    )
  const [blocks, transactions] = [await hashes('index_block'), await hashes('index_transaction')]
  const [counted] = await database.run<{ count: number }>(
    'test-movements',
    'select count(*)::int as count from index_transfer join index_chain using (chain) where caip = $1',
    [caip],
  )
  const sorted = (rows: readonly { hash: string }[]): readonly string[] => rows.map(({ hash }) => hash).toSorted()
  return { blocks: sorted(blocks), transactions: sorted(transactions), movements: counted?.count ?? -1 }
}

async function readChain(to: number): Promise<Awaited<ReturnType<typeof readIndex>>> {
  const blocks: Hex[] = []
  const transactions: Hex[] = []
  for (let number = 0; number <= to; number += 1) {
    const block = await createNodeClient().getBlock({ blockNumber: BigInt(number) })
    blocks.push(block.hash ?? '0x')
    transactions.push(...block.transactions)
  }
  // Each transaction is a payment with one transfer.
  return { blocks: blocks.toSorted(), transactions: transactions.toSorted(), movements: transactions.length }
}

test('index has no gaps or duplicates after repeated kills while indexing', { tags: 'faults' }, async () => {
  await minePayments(60, 400)
  let before = -1
  for (let round = 0; round < rounds; round += 1) {
    const server = start()
    const gone = waitForExit(server)
    await expect.poll(getHead, { interval: 2 }).toBeGreaterThan(before)
    await sleep(randomInt(0, 60))
    server.kill('SIGKILL')
    await gone
    before = await getHead()
    await forgetLeader()
    // Each round has blocks left to index, even on a fast machine.
    await minePayments(5, 200)
  }
  const last = start()
  const gone = waitForExit(last)
  const target = Number(await createNodeClient().getBlockNumber({ cacheTime: 0 }))
  await expect.poll(getHead).toBe(target)
  last.kill('SIGTERM')
  await gone
  expect(await readIndex()).toEqual(await readChain(target))
})
