import { solanaAddresses, startSolana, type LocalSolana } from '@latchkey/devnet'
import { address, generateKeyPairSigner } from '@solana/kit'
import type { HistoryPage } from '@latchkey/protocol'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Chain } from '../../kit/chain/chains.ts'
import { systemClock } from '../../kit/runtime/clock.ts'
import { createEndpointPools } from '../../kit/chain/endpointPools.ts'
import { startRpcNode } from '../../testing/rpcNode.ts'
import { sendTokens } from '../../testing/sendTokens.ts'
import { createSolanaBalances } from './solanaBalances.ts'
import { createSolanaHistory } from './solanaHistory.ts'

const { log } = Fastify({ logger: false })
const nativeCurrency = { name: 'Sol', symbol: 'SOL', decimals: 9 }

const slotMs = 400
let time = Date.UTC(2026, 0, 1)
let local: LocalSolana
let chain: Chain

beforeAll(async () => {
  const started = await startSolana({ now: () => time })
  if (started === undefined) throw new Error('The runtime of Solana (litesvm) is not installed here.')
  local = started
  const { caipNetworkId, name } = started.network
  chain = { caipNetworkId, name, nativeCurrency, rpcUrls: [started.rpcUrl], tokens: started.tokens }
})
afterAll(() => local.close())

async function airdrop(to: string, amount: number): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'requestAirdrop', params: [to, amount] })
  const response = (await (await fetch(local.rpcUrl, { method: 'POST', body })).json()) as { result: string }
  return response.result
}

test('Solana history lists received payments, newest first, page by page [R7.1.4]', async () => {
  const { address } = await generateKeyPairSigner()
  const signatures: string[] = []
  for (let each = 1; each <= 5; each += 1) {
    time += slotMs
    signatures.push(await airdrop(address, each * 1_000_000_000))
  }
  const source = createSolanaHistory({ pools: createEndpointPools(systemClock), log })
  const first = await source.page({ chains: [chain], address, cursor: undefined, size: 3 })
  expect(first.data[0]).toMatchObject({
    metadata: { operationType: 'receive', status: 'confirmed', hash: signatures[4], chain: chain.caipNetworkId },
    transfers: [{ direction: 'in', quantity: { numeric: '5' }, fungible_info: { symbol: 'SOL' } }],
  })
  const second = await source.page({ chains: [chain], address, cursor: first.next ?? undefined, size: 3 })
  const all = [...first.data, ...second.data]
  expect(all.map(({ metadata }) => metadata.hash)).toEqual(signatures.toReversed())
  expect(second.next).toBeNull()
})

test('Solana history shows the transactions of one slot on one page', async () => {
  const { address } = await generateKeyPairSigner()
  time += slotMs
  const older = await airdrop(address, 1_000_000_000)
  time += slotMs
  const signatures: string[] = []
  for (let each = 1; each <= 4; each += 1) signatures.push(await airdrop(address, each * 1_000_000_000))
  const source = createSolanaHistory({ pools: createEndpointPools(systemClock), log })
  const first = await source.page({ chains: [chain], address, cursor: undefined, size: 2 })
  expect(first.data.map(({ metadata }) => metadata.hash)).toEqual(signatures.toReversed())
  const second = await source.page({ chains: [chain], address, cursor: first.next ?? undefined, size: 2 })
  expect(second.data.map(({ metadata }) => metadata.hash)).toEqual([older])
  expect(second.next).toBeNull()
})

test('Solana history contains incoming tokens, although their transactions only name the token account', async () => {
  const [, , receiver = '', ...senders] = solanaAddresses
  const [token] = local.tokens
  if (token === undefined) throw new Error('The local Solana has no token.')
  const mint = address(token.address)
  await airdrop(receiver, 1_000_000_000)
  const signatures: string[] = []
  for (const amount of [1_500_000n, 2_500_000n, 3_500_000n]) {
    time += slotMs
    signatures.push(await sendTokens({ rpcUrl: local.rpcUrl, mint, to: address(receiver), amount }))
  }
  expect(senders.length).toBeGreaterThan(0)
  const source = createSolanaHistory({ pools: createEndpointPools(systemClock), log })
  const pages: HistoryPage[] = []
  let cursor: string | undefined
  do {
    const page = await source.page({ chains: [chain], address: receiver, cursor, size: 2 })
    pages.push(page)
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
  const items = pages.flatMap(({ data }) => data)
  expect(items.map(({ metadata }) => metadata.hash).slice(0, 3)).toEqual(signatures.toReversed())
  expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
  expect(items[0]).toMatchObject({
    metadata: { operationType: 'receive' },
    transfers: [{ direction: 'in', quantity: { numeric: '3.5' }, fungible_info: { symbol: token.symbol } }],
  })
})

test('Solana balances contain native currency and tokens [R9.4.1]', async () => {
  const { address } = await generateKeyPairSigner()
  await airdrop(address, 1_500_000_000)
  const source = createSolanaBalances(createEndpointPools(systemClock))
  expect(await source.balances(chain, address)).toMatchObject([{ symbol: 'SOL', quantity: { numeric: '1.5' } }])
  const { solanaAddresses } = await import('@latchkey/devnet')
  const [rich = ''] = solanaAddresses
  const balances = await source.balances(chain, rich)
  const [token] = local.tokens
  expect(balances).toContainEqual(
    expect.objectContaining({ symbol: token?.symbol, address: `${chain.caipNetworkId}:${token?.address}` }),
  )
})

const [owner, other, mint] = [
  '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T',
  'ARJoNqVNzv4mTqvZZfAMgEg8mR6MN1xW5i4bB8aXjyUB',
  'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
]
const signature = '5'.repeat(88)

/** A transaction as nodes return it: sent tokens and a fee. */
const paid = {
  slot: 1,
  blockTime: 1_700_000_000,
  transaction: { message: { accountKeys: [{ pubkey: owner }, { pubkey: other }] } },
  meta: {
    err: null,
    fee: 5_000,
    preBalances: [1_000_000, 0],
    postBalances: [995_000, 0],
    preTokenBalances: [
      { accountIndex: 2, mint, owner, uiTokenAmount: { amount: '7000000', decimals: 6 } },
      { accountIndex: 3, mint, owner: other, uiTokenAmount: { amount: '0', decimals: 6 } },
    ],
    postTokenBalances: [
      { accountIndex: 2, mint, owner, uiTokenAmount: { amount: '4500000', decimals: 6 } },
      { accountIndex: 3, mint, owner: other, uiTokenAmount: { amount: '2500000', decimals: 6 } },
    ],
  },
}

function resultOf(method: string, transaction: unknown, blockTime: number | null): unknown {
  if (method === 'getTransaction') return transaction
  return method === 'getTokenAccountsByOwner' ? { value: [] } : [{ signature, slot: 1, err: null, blockTime }]
}

async function pageOf(transaction: unknown, { blockTime = 1_700_000_000 as number | null, log: to = log } = {}) {
  const node = await startRpcNode((body) =>
    (body as { id: number; method: string }[]).map(({ id, method }) => ({
      jsonrpc: '2.0',
      id,
      result: resultOf(method, transaction, blockTime),
    })),
  )
  try {
    const source = createSolanaHistory({ pools: createEndpointPools(systemClock), log: to })
    const at = {
      ...chain,
      rpcUrls: [node.url],
      tokens: [{ address: mint, name: 'USD Coin', symbol: 'USDC', decimals: 6 }],
    }
    return (await source.page({ chains: [at], address: owner, cursor: undefined, size: 50 })).data
  } finally {
    await node.close()
  }
}

test('Solana history contains sent tokens without the fee', async () => {
  expect(await pageOf(paid)).toMatchObject([
    {
      metadata: { operationType: 'send', sentFrom: owner },
      transfers: [{ direction: 'out', quantity: { numeric: '2.5' }, fungible_info: { symbol: 'USDC' } }],
    },
  ])
})

test('Solana history shows a failed transaction without transfers', async () => {
  const [item] = await pageOf({ ...paid, meta: { ...paid.meta, err: { InstructionError: [0, 'Custom'] } } })
  expect(item).toMatchObject({ metadata: { status: 'failed', operationType: 'execute' }, transfers: [] })
})

test.each([
  ['nothing', null],
  ['a string', 'x'],
  ['no time', { ...paid, blockTime: null }],
  ['no meta', { blockTime: 5 }],
  ['a time beyond all dates', { ...paid, blockTime: 9_007_199_254_740_991 }],
])('Solana history shows a transaction without transfers if the node returns %s', async (_what, transaction) => {
  expect(await pageOf(transaction)).toMatchObject([
    {
      metadata: { hash: signature, operationType: 'execute', status: 'confirmed', minedAt: '2023-11-14T22:13:20.000Z' },
      transfers: [],
    },
  ])
})

test('Solana history logs how many transactions it cannot show', async () => {
  const lines: string[] = []
  const { log: written } = Fastify({ logger: { level: 'warn', stream: { write: (line) => void lines.push(line) } } })
  expect(await pageOf(null, { blockTime: null, log: written })).toEqual([])
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ count: 1, chain: chain.caipNetworkId }])
})
