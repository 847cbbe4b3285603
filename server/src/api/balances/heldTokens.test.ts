import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Hex } from '../../indexer/block.ts'
import { createIndexedChains, type IndexedChain } from '../../indexer/indexedChains.ts'
import { createPostgresHistory } from '../../indexer/history/createPostgresHistory.ts'
import { createIndexStore, type IndexPosition } from '../../indexer/indexStore.ts'
import type { Chain } from '../../kit/chain/chains.ts'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { indexerMigrations } from '../../schema/indexerMigrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import type { TokenFacts } from '../tokens/tokenFacts.ts'
import { createHeldTokens } from './heldTokens.ts'

const { log } = Fastify({ logger: false })
const hexOf = (digits: number, value: number): Hex => `0x${value.toString(16).padStart(digits, '0')}`
const addressOf = (value: number): Hex => hexOf(40, value)
const [stranger, honest, late] = [addressOf(0xeee), `0x${'f'.repeat(40)}`, `0x${'e'.repeat(40)}`] as const
const chain: Chain = {
  caipNetworkId: 'eip155:1',
  name: 'Ethereum',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: [],
  tokens: [],
}

let place: TestPostgres
let database: Database
let position: IndexPosition

beforeAll(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, log)
  await migrate(database.kysely, indexerMigrations, 'indexer')
  position = await createIndexStore(database).open('eip155:1', 1)
})
afterAll(async () => {
  await database.close()
  await place.close()
})

/** Stores a block in which an account receives tokens. */
async function receive(number: number, account: Hex, tokens: readonly Hex[], signer: Hex = stranger): Promise<void> {
  const transfers = tokens.map((token, index) => ({
    ordinal: index + 1,
    kind: 1 as const,
    token,
    sender: stranger,
    receiver: account,
    tokenId: undefined,
    amount: 1n,
  }))
  const transaction = {
    position: 0,
    hash: hexOf(64, number),
    sender: signer,
    receiver: stranger,
    created: undefined,
    value: 0n,
    nonce: number,
    method: undefined,
    succeeded: true,
    transfers,
    touched: [account],
  }
  const block = {
    number,
    hash: hexOf(64, number),
    parent: hexOf(64, number - 1),
    minedAt: number,
    transactions: [transaction],
  }
  await createPostgresHistory(database).add(position, [block], { target: number })
  position = { ...position, head: number }
}

function createTokens(isSpam: (token: Hex) => boolean) {
  const indexed: IndexedChain = {
    chain: position.chain,
    caip: 'eip155:1',
    native: chain.nativeCurrency,
    tokens: [],
    rpc: { batch: async () => [], tryBatch: async () => [], settle: async () => [] },
  }
  const facts = (token: Hex): TokenFacts => ({
    name: token,
    symbol: 'T',
    decimals: 18,
    iconUrl: '',
    listed: false,
    spam: isSpam(token),
  })
  return createHeldTokens(database, createIndexedChains([indexed]), {
    of: async (_chain, tokens) => new Map(tokens.map((token) => [token, facts(token)])),
  })
}

test('held tokens contain an honest token behind 900 spam tokens with lower addresses', async () => {
  const account = addressOf(0xa1)
  const spam = Array.from({ length: 900 }, (_, index) => addressOf(0x10000 + index))
  await receive(1, account, spam)
  await receive(2, account, [honest])
  const held = await createTokens((token) => spam.includes(token))(chain, account, [])
  expect(held.map(({ address }) => address)).toEqual([honest])
})

test('held tokens begin with tokens of transactions that the account signed, and with the oldest ones', async () => {
  const account = addressOf(0xa2)
  const unnamed = Array.from({ length: 900 }, (_, index) => addressOf(0x20000 + index))
  await receive(3, account, [late])
  await receive(4, account, unnamed)
  await receive(5, account, [honest], account)
  const held = await createTokens(() => false)(chain, account, [])
  expect(held.slice(0, 2).map(({ address }) => address)).toEqual([honest, late])
  expect(held.length).toBeLessThanOrEqual(2_000)
})
