import { startSolana, type LocalSolana } from '@latchkey/devnet'
import { generateKeyPairSigner } from '@solana/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Chain } from '../../kit/chain/chains.ts'
import { systemClock } from '../../kit/runtime/clock.ts'
import { createEndpointPools } from '../../kit/chain/endpointPools.ts'
import { startRpcNode } from '../../testing/rpcNode.ts'
import { createSolanaBalances } from './solanaBalances.ts'
import { createSolanaHistory } from './solanaHistory.ts'

const nativeCurrency = { name: 'Sol', symbol: 'SOL', decimals: 9 }

let local: LocalSolana
let chain: Chain

beforeAll(async () => {
  const started = await startSolana()
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
  for (let each = 1; each <= 5; each += 1) signatures.push(await airdrop(address, each * 1_000_000_000))
  const source = createSolanaHistory(createEndpointPools(systemClock))
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

async function pageOf(told: unknown) {
  const node = await startRpcNode((body) =>
    (body as { id: number; method: string }[]).map(({ id, method }) => ({
      jsonrpc: '2.0',
      id,
      result: method === 'getTransaction' ? told : [{ signature, slot: 1, err: null }],
    })),
  )
  try {
    const source = createSolanaHistory(createEndpointPools(systemClock))
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
  ['a text', 'x'],
  ['no time', { ...paid, blockTime: null }],
  ['no meta', { blockTime: 5 }],
])('Solana history leaves out a transaction if the node returns %s', async (_what, told) => {
  expect(await pageOf(told)).toEqual([])
})
