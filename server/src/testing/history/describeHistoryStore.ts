import Fastify from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  getTouchedAddresses,
  transferKinds,
  zeroAddress,
  type Block,
  type Hex,
  type Transfer,
} from '../../indexer/block.ts'
import type { HistoryPlace, HistoryRow, HistoryStore } from '../../indexer/history/historyStore.ts'
import { toBytea } from '../../indexer/history/toBytea.ts'
import { createIndexStore, type IndexPosition, type IndexStore } from '../../indexer/indexStore.ts'
import { createAddressStore, type AddressStore } from '../../indexer/requested/createAddressStore.ts'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { indexerMigrations } from '../../schema/indexerMigrations.ts'
import { createTestDatabase, type TestPostgres } from '../database.ts'

/** The history store of a suite. */
export type OpenedHistoryStore = { history: HistoryStore; close(): Promise<void> }

const [alice, bob, carol, token]: readonly [Hex, Hex, Hex, Hex] = [
  `0x${'a1'.repeat(20)}`,
  `0x${'b2'.repeat(20)}`,
  `0x${'c3'.repeat(20)}`,
  `0x${'70'.repeat(20)}`,
]
/** The receiver of the payments of `createTestBlock`, and others. */
export const testAccounts = { alice, bob, carol } as const

const startedAt = 1_700_000_000_000
const secondsPerBlock = 12

type Payment = {
  from?: Hex
  to?: Hex
  amount?: bigint
  kind?: Transfer['kind']
  tokenId?: bigint
  transfers?: readonly Transfer[]
}

const hashOf = (text: string): Hex => `0x${Buffer.from(text).toString('hex').padEnd(64, '0').slice(0, 64)}`

/**
 * Creates a block with one transaction per payment.
 *
 * @param branch blocks of different branches have different hashes
 */
export function createTestBlock(number: number, payments: readonly Payment[], branch = 'main'): Block {
  return {
    number,
    hash: hashOf(`${branch} block ${number}`),
    parent: hashOf(`${branch} block ${number - 1}`),
    minedAt: startedAt + secondsPerBlock * 1_000 * number,
    transactions: payments.map((payment, position) => createTransaction(payment, position, `${branch} ${number}`)),
  }
}

function createTransaction(payment: Payment, position: number, name: string): Block['transactions'][number] {
  const { from = alice, to = bob, amount = 1n, kind = transferKinds.erc20, tokenId } = payment
  const transfers = payment.transfers ?? [{ ordinal: 0, kind, token, sender: from, receiver: to, tokenId, amount }]
  const call = { sender: from, receiver: token, created: undefined, transfers }
  const touched = getTouchedAddresses(call)
  return {
    ...call,
    position,
    hash: hashOf(`${name} ${position}`),
    value: 0n,
    nonce: position,
    method: '0xa9059cbb',
    succeeded: true,
    touched,
  }
}

/**
 * The contract of every history store. Positions and leases are in PostgreSQL, which the suite starts.
 *
 * @param openStore opens an empty store, once for the whole suite
 * @example describeHistoryStore('PostgreSQL', async (database) => ({ history: createPostgresHistory(database), close }))
 */
export function describeHistoryStore(
  name: string,
  openStore: (database: Database) => Promise<OpenedHistoryStore>,
): void {
  describe(`history store on ${name}`, () => {
    const { log } = Fastify({ logger: false })
    let place: TestPostgres
    let database: Database
    let opened: OpenedHistoryStore
    let counter = 0
    const suite: Suite = {
      history: () => opened.history,
      store: () => createIndexStore(database),
      addresses: () => createAddressStore(database),
      position: (head = -1) => openPosition(suite.store(), `eip155:${counter}`, head),
      other: () => openPosition(suite.store(), `eip155:${counter}-other`, -1),
      database: () => database,
    }

    beforeAll(async () => {
      place = await createTestDatabase()
      database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, log)
      await migrate(database.kysely, indexerMigrations, 'indexer')
      opened = await openStore(database)
    })
    afterAll(async () => {
      await opened.close()
      await database.close()
      await place.close()
    })
    // Each test has chains of its own.
    beforeEach(() => void (counter += 1))

    describePages(suite)
    describeSelection(suite)
    describeWriters(suite)
    describeGaps(suite)
    describeMaintenance(suite)
  })
}

type Suite = {
  history(): HistoryStore
  store(): IndexStore
  addresses(): AddressStore
  /** The chain of the test. */
  position(head?: number): Promise<IndexPosition>
  /** A second chain. */
  other(): Promise<IndexPosition>
  database(): Database
}

async function openPosition(store: IndexStore, caip: string, head: number): Promise<IndexPosition> {
  const position = await store.open(caip, 0)
  const term = await store.lead(position.chain, 'test', 1, 2)
  if (term === undefined) throw new Error('The test has no lease.')
  return { ...position, term, head: Math.max(position.head, head) }
}

/** Adds blocks after the head. */
async function add({ history }: Suite, position: IndexPosition, blocks: readonly Block[]): Promise<IndexPosition> {
  const target = blocks.at(-1)?.number ?? position.head
  expect(await history().add(position, blocks, { target })).toBe(true)
  return { ...position, head: target }
}

type ListOptions = { account?: Hex; after?: HistoryPlace | undefined; limit?: number }

function list(
  { history }: Suite,
  chains: readonly number[],
  { account = bob, after, limit = 100 }: ListOptions = {},
): Promise<readonly HistoryRow[]> {
  return history().page({ account, chains, after, limit })
}

/** Lists all pages of a size. */
async function listPages(suite: Suite, chains: readonly number[], limit: number): Promise<readonly HistoryRow[]> {
  const rows: HistoryRow[] = []
  for (;;) {
    const page = await list(suite, chains, { after: rows.at(-1), limit })
    rows.push(...page)
    if (page.length < limit) return rows
  }
}

const toHashes = (rows: readonly HistoryRow[]): readonly Hex[] => rows.map(({ hash }) => hash)

const largest = 2n ** 256n - 1n

/** Transfers of all forms that concern one account. */
const mixedTransfers: readonly Transfer[] = [
  {
    ordinal: 0,
    kind: transferKinds.native,
    token: zeroAddress,
    sender: alice,
    receiver: bob,
    tokenId: undefined,
    amount: 0n,
  },
  { ordinal: 1, kind: transferKinds.erc1155, token, sender: bob, receiver: alice, tokenId: largest, amount: largest },
  { ordinal: 2, kind: transferKinds.erc20, token, sender: alice, receiver: bob, tokenId: undefined, amount: 3n },
]

function describePages(suite: Suite): void {
  test('a page has every property of a transaction', async () => {
    const position = await suite.position()
    const block = createTestBlock(0, [{}, { transfers: mixedTransfers }])
    const [, second] = block.transactions
    if (second === undefined) throw new Error('The block has two transactions.')
    const created = {
      ...second,
      receiver: undefined,
      created: carol,
      method: undefined,
      succeeded: false,
      nonce: 2 ** 40,
    }
    await add(suite, position, [{ ...block, transactions: [created] }])
    expect(await list(suite, [position.chain])).toEqual([
      {
        chain: position.chain,
        block: 0,
        position: 1,
        minedAt: block.minedAt,
        hash: second.hash,
        sender: alice,
        receiver: null,
        created: carol,
        nonce: 2 ** 40,
        method: null,
        succeeded: false,
        transfers: mixedTransfers.map(({ ordinal: _ordinal, tokenId, amount, ...each }) => ({
          ...each,
          tokenId: tokenId === undefined ? null : String(tokenId),
          amount: String(amount),
        })),
      },
    ])
  })

  test.each([1, 2, 3, 7, 100])(
    'pages of %i transactions contain each transaction once, newest first',
    async (limit) => {
      const position = await suite.position()
      const blocks = Array.from({ length: 9 }, (_, number) => createTestBlock(number, [{}, {}, { to: carol }]))
      await add(suite, position, blocks)
      const expected = blocks.flatMap(({ transactions }) => transactions.slice(0, 2).map(({ hash }) => hash))
      expect(toHashes(await listPages(suite, [position.chain], limit))).toEqual(expected.toReversed())
    },
  )

  test('a transaction has at most 50 transfers, in their order', async () => {
    const position = await suite.position()
    const transfers = Array.from({ length: 120 }, (_, ordinal) => {
      const amount = BigInt(ordinal)
      return { ordinal, kind: transferKinds.erc20, token, sender: alice, receiver: bob, tokenId: undefined, amount }
    })
    await add(suite, position, [createTestBlock(0, [{ transfers }])])
    const [row] = await list(suite, [position.chain])
    expect(row?.transfers.map(({ amount }) => amount)).toEqual(Array.from({ length: 50 }, (_, index) => `${index}`))
  })
}

function describeSelection(suite: Suite): void {
  test.each([1, 2, 5, 100])(
    'pages of %i transactions on two chains are sorted by time, then by chain',
    async (limit) => {
      const [first, second] = [await suite.position(), await suite.other()]
      await add(
        suite,
        first,
        [0, 1, 2].map((number) => createTestBlock(number, [{}, {}], 'first')),
      )
      await add(
        suite,
        second,
        [0, 1, 2, 3].map((number) => createTestBlock(number, [{}], 'second')),
      )
      const rows = await listPages(suite, [first.chain, second.chain], limit)
      const places = rows.map((row) => [row.minedAt, row.chain, row.block, row.position])
      expect(places).toHaveLength(10)
      expect(places).toEqual(places.toSorted((a, b) => compare(b, a)))
      expect(new Set(toHashes(rows)).size).toBe(10)
    },
  )

  test('a page contains only the chains that were asked for', async () => {
    const [first, second] = [await suite.position(), await suite.other()]
    await add(suite, first, [createTestBlock(0, [{}], 'first')])
    await add(suite, second, [createTestBlock(0, [{}], 'second')])
    expect((await list(suite, [second.chain])).map(({ chain }) => chain)).toEqual([second.chain])
  })

  test('an account without transactions has an empty page', async () => {
    const position = await add(suite, await suite.position(), [createTestBlock(0, [{}])])
    expect(await list(suite, [position.chain], { account: carol })).toEqual([])
    expect(await list(suite, [])).toEqual([])
  })

  test('the last block of an account is that of its newest transaction', async () => {
    const position = await suite.position()
    await add(suite, position, [
      createTestBlock(0, [{}]),
      createTestBlock(1, [{}]),
      createTestBlock(2, [{ to: carol }]),
    ])
    expect(await suite.history().findLastBlock(position.chain, bob)).toBe(1)
    expect(await suite.history().findLastBlock(position.chain, token)).toBe(2)
    expect(await suite.history().findLastBlock(position.chain, zeroAddress)).toBeUndefined()
  })
}

function compare(a: readonly number[], b: readonly number[]): number {
  const differing = a.findIndex((each, index) => each !== b[index])
  return differing === -1 ? 0 : (a[differing] ?? 0) - (b[differing] ?? 0)
}

function describeWriters(suite: Suite): void {
  test('blocks that two writers add at the same time are stored once', async () => {
    const position = await suite.position()
    const blocks = [0, 1, 2].map((number) => createTestBlock(number, [{}, {}]))
    const adding = Array.from({ length: 4 }, () => suite.history().add(position, blocks, { target: 2 }))
    expect((await Promise.all(adding)).filter(Boolean)).toHaveLength(1)
    expect(await list(suite, [position.chain])).toHaveLength(6)
  })

  test('blocks that do not follow the head are not visible', async () => {
    const position = await add(suite, await suite.position(), [createTestBlock(0, [{}])])
    const later = { ...position, head: 4 }
    expect(await suite.history().add(later, [createTestBlock(5, [{}])], { target: 5 })).toBe(false)
    expect(await list(suite, [position.chain])).toHaveLength(1)
    expect(await suite.history().findLastBlock(position.chain, bob)).toBe(0)
  })

  test('a writer whose term is over adds and removes nothing', async () => {
    const position = await add(suite, await suite.position(), [createTestBlock(0, [{}])])
    const former = { ...position, term: position.term - 1 }
    expect(await suite.history().add(former, [createTestBlock(1, [{}])], { target: 1 })).toBe(false)
    expect(await suite.history().rewind(former, -1)).toBe(false)
    await suite.history().remove(former, bob)
    expect(await list(suite, [position.chain])).toHaveLength(1)
  })

  test('a reorg removes the old branch, although the new one has transactions at the same places', async () => {
    const position = await suite.position()
    const common = createTestBlock(0, [{}])
    const old = [1, 2, 3].map((number) => createTestBlock(number, [{}, {}], 'old'))
    const head = await add(suite, position, [common, ...old])
    expect(await suite.history().rewind(head, 0)).toBe(true)
    expect(await list(suite, [position.chain])).toHaveLength(1)
    expect(await suite.history().findLastBlock(position.chain, bob)).toBe(0)
    const fresh = [createTestBlock(1, [{}], 'new'), createTestBlock(2, [{ to: carol }], 'new')]
    await add(suite, { ...head, head: 0 }, fresh)
    expect(toHashes(await list(suite, [position.chain]))).toEqual([
      fresh[0]?.transactions[0]?.hash,
      common.transactions[0]?.hash,
    ])
  })

  test('a branch that returns after a reorg is visible again', async () => {
    const position = await suite.position()
    const main = [0, 1, 2].map((number) => createTestBlock(number, [{}]))
    const head = await add(suite, position, main)
    await suite.history().rewind(head, 0)
    const detour = await add(suite, { ...head, head: 0 }, [createTestBlock(1, [{}], 'detour')])
    await suite.history().rewind(detour, 0)
    await add(suite, { ...head, head: 0 }, main.slice(1))
    expect(await list(suite, [position.chain])).toHaveLength(3)
  })
}

/** Follows addresses from the first block on. Their gap reaches up to a head. */
async function followAddresses(
  { addresses }: Suite,
  position: IndexPosition,
  followed: readonly Hex[],
  head: number,
): Promise<void> {
  for (const address of followed) {
    await addresses().request(position.chain, address, { now: 1, maxAddresses: 100 })
  }
  expect(await addresses().jump(position, { from: position.head, to: head })).toBe(true)
  await addresses().admit(position, 0)
}

/** Keeps what concerns an address, as `addFound` expects it. */
function filterTouched(block: Block, address: Hex): Block {
  return { ...block, transactions: block.transactions.map((each) => ({ ...each, touched: [address] })) }
}

/** Gets the end of the gap of an address, and the number of its transactions. */
async function getAddressState(
  { database }: Suite,
  { chain }: IndexPosition,
  address: Hex,
): Promise<{ gapTo: number | null; transactions: number } | undefined> {
  const statement = `select gap_to as "gapTo", transactions from index_address where chain = $1 and address = $2`
  const [row] = await database().run<{ gapTo: number | null; transactions: number }>('test-address-state', statement, [
    chain,
    toBytea(address),
  ])
  return row
}

function describeGaps(suite: Suite): void {
  test('transactions of a gap are added once, for their address only', async () => {
    const position = await suite.position()
    await followAddresses(suite, position, [bob, alice], 50)
    const blocks = [filterTouched(createTestBlock(30, [{}]), bob), filterTouched(createTestBlock(20, [{}, {}]), bob)]
    const gap = { address: bob, from: 0, to: 50 }
    for (let each = 0; each < 2; each += 1) {
      expect(await suite.history().addFound(position, gap, { blocks, below: 20 })).toBe(true)
    }
    expect(await list(suite, [position.chain])).toHaveLength(3)
    expect(await list(suite, [position.chain], { account: alice })).toEqual([])
    expect(await getAddressState(suite, position, bob)).toEqual({ gapTo: 19, transactions: 6 })
    expect(await suite.history().addFound({ ...position, term: -1 }, gap, { blocks: [], below: 0 })).toBe(false)
  })

  test('nothing is added to a gap if the node has another block than the index', async () => {
    const position = await suite.position()
    const main = [0, 1, 2, 3].map((number) => createTestBlock(number, []))
    expect(await suite.history().add(position, main, { target: 3 })).toBe(true)
    await followAddresses(suite, { ...position, head: 3 }, [bob], 3)
    const found = { blocks: [filterTouched(createTestBlock(2, [{}], 'minority'), bob)], below: 0 }
    const added = suite.history().addFound(position, { address: bob, from: 0, to: 3 }, found)
    await expect(added).rejects.toThrow('another block than the index')
    expect(await list(suite, [position.chain])).toEqual([])
  })

  test('a transaction of two addresses is in the histories of both, each with its own transfers', async () => {
    const position = await suite.position()
    await followAddresses(suite, position, [bob, carol], 50)
    const transfers = [bob, carol].map((receiver, ordinal) => {
      return { ordinal, kind: transferKinds.erc20, token, sender: alice, receiver, tokenId: undefined, amount: 1n }
    })
    const block = createTestBlock(10, [{ transfers }])
    for (const address of [bob, carol]) {
      const found = { blocks: [filterTouched(block, address)], below: 0 }
      await suite.history().addFound(position, { address, from: 0, to: 50 }, found)
    }
    for (const account of [bob, carol]) {
      const [row] = await list(suite, [position.chain], { account })
      expect(row?.transfers.map(({ receiver }) => receiver)).toEqual([account])
    }
    await suite.history().remove(position, bob)
    expect(await list(suite, [position.chain])).toEqual([])
    expect(await list(suite, [position.chain], { account: carol })).toHaveLength(1)
  })
}

function describeMaintenance(suite: Suite): void {
  test('trimming an address keeps its newest transactions, and extends its gap', async () => {
    const position = await suite.position()
    await followAddresses(suite, position, [bob], 50)
    const blocks = Array.from({ length: 12 }, (_, index) => filterTouched(createTestBlock(10 + index, [{}]), bob))
    await suite.history().addFound(position, { address: bob, from: 0, to: 50 }, { blocks, below: 0 })
    await suite.history().trim(position, bob, { maxTransactions: 5, first: 3 })
    expect((await list(suite, [position.chain])).map(({ block }) => block)).toEqual([21, 20, 19, 18, 17])
    expect(await getAddressState(suite, position, bob)).toEqual({ gapTo: 16, transactions: 5 })
    await suite.history().trim(position, bob, { maxTransactions: 5, first: 3 })
    expect(await list(suite, [position.chain])).toHaveLength(5)
  })

  test('a reorg above forgotten hashes keeps the transactions below', async () => {
    const position = await suite.position()
    await followAddresses(suite, position, [bob], -1)
    const blocks = Array.from({ length: 6 }, (_, number) => createTestBlock(number, [{}]))
    const head = await add(suite, position, blocks)
    await suite.history().forgetHashes(head, 4)
    expect(await suite.store().hashAt(position.chain, 3)).toBeUndefined()
    expect(await suite.store().hashAt(position.chain, 4)).toBe(blocks[4]?.hash)
    await suite.history().rewind(head, 4)
    expect((await list(suite, [position.chain])).map(({ block }) => block)).toEqual([4, 3, 2, 1, 0])
  })
}
