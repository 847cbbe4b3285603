import {
  addresses,
  readArtifact,
  startChains,
  waitUntilMined,
  type LocalChain,
  type LocalChains,
} from '@latchkey/devnet'
import type { HeldNft, HistoryItem, HistoryPage, NftPage } from '@latchkey/protocol'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { createTestClient, encodeFunctionData, http, parseAbi, publicActions, walletActions, type Hex } from 'viem'
import { privateKeyToAddress, generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../kit/database/database.ts'
import { startTestServer } from '../testing/index.ts'

type Server = Awaited<ReturnType<typeof startTestServer>>

const abi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amount)',
  'function approve(address to, uint256 amount)',
  'function mint(address to)',
])
const tokenAbi = parseAbi(['constructor(string name, string symbol, uint8 decimals, address[] holders, uint256 each)'])
const [alice, bob] = addresses
const projectId = 'ab'.repeat(16)

let world: LocalChains
let server: Server
let chain: LocalChain

beforeAll(async () => {
  world = await startChains()
  chain = world.chains[0]
  const { network, rpcUrl, tokens } = chain
  const { caipNetworkId, name, nativeCurrency } = network
  server = await startTestServer({
    chains: [
      { caipNetworkId, name, nativeCurrency, rpcUrls: [rpcUrl], tokens: tokens.slice(0, 1), index: { from: 0 } },
    ],
  })
})
afterAll(async () => {
  await server.close()
  await world.close()
})

const createNodeClient = () =>
  createTestClient({ mode: 'anvil', account: alice, transport: http(chain.rpcUrl), pollingInterval: 10 })
    .extend(publicActions)
    .extend(walletActions)

async function send(to: Hex, data?: Hex, value = 0n, account: Hex = alice): Promise<Hex> {
  const hash = await createNodeClient().sendTransaction({ account, chain: null, to, data, value, gas: 300_000n })
  await waitUntilMined(createNodeClient(), hash)
  return hash
}

const createUnusedAddress = (): Hex => privateKeyToAddress(generatePrivateKey())
const getTokenAddress = (at: number): Hex => chain.tokens[at]?.address ?? '0x'

async function request(path: string, query: Record<string, string> = {}): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${server.url}${path}?${new URLSearchParams({ projectId, ...query })}`)
  return { status: response.status, body: await response.json() }
}

async function historyOf(address: string, query: Record<string, string> = {}): Promise<HistoryPage> {
  const { status, body } = await request(`/v1/account/${address}/history`, query)
  expect(status).toBe(200)
  return body as HistoryPage
}

/** Waits until the index has the newest item of an account's history, and returns it. */
async function waitForItem(address: string, hash: Hex): Promise<HistoryItem> {
  let found: HistoryItem | undefined
  await expect
    .poll(async () => (found = (await historyOf(address)).data.find((item) => item.metadata.hash === hash)))
    .toBeDefined()
  if (found === undefined) throw new Error('It is not there.')
  return found
}

test('history lists a payment for sender and receiver, each from its own side [R7.1.4] [R3.10]', async () => {
  const receiver = createUnusedAddress()
  const hash = await send(receiver, undefined, 1_500_000_000_000_000_000n)
  const received = await waitForItem(receiver, hash)
  expect(received).toMatchObject({
    metadata: { operationType: 'receive', status: 'confirmed', sentFrom: alice.toLowerCase(), chain: 'eip155:31337' },
    transfers: [{ direction: 'in', quantity: { numeric: '1.5' }, nft_info: null, fungible_info: { symbol: 'ETH' } }],
  })
  const sent = await waitForItem(alice, hash)
  expect(sent).toMatchObject({ metadata: { operationType: 'send' }, transfers: [{ direction: 'out' }] })
})

test('history rejects an unknown currency with 422, and accepts an empty one', async () => {
  const statusOf = async (currency: string): Promise<number> =>
    (await request(`/v1/account/${alice}/history`, { currency })).status
  expect([await statusOf('xau'), await statusOf(''), await statusOf('eur')]).toEqual([422, 200, 200])
})

test('history reports the start of the index of a chain', async () => {
  const { timestamp } = await createNodeClient().getBlock({ blockNumber: 0n })
  const minedAt = new Date(Number(timestamp) * 1_000).toISOString()
  await expect
    .poll(async () => (await historyOf(createUnusedAddress())).indexedSince)
    .toEqual([{ chain: 'eip155:31337', block: 0, minedAt }])
})

test('history omits zero-value transfers that a stranger made for the account', async () => {
  const victim = alice
  const lookAlike = `${victim.slice(0, 4)}${'0'.repeat(32)}${victim.slice(-6)}` as Hex
  const args = [victim, lookAlike, 0n] as const
  const data = encodeFunctionData({ abi, functionName: 'transferFrom', args })
  const attack = await send(getTokenAddress(0), data, 0n, bob)
  const own = await send(lookAlike, undefined, 7n)
  // The index follows the chain in order, so it has seen the attack too.
  await waitForItem(victim, own)
  const { data: items } = await historyOf(victim)
  expect(items.map(({ metadata }) => metadata.hash)).not.toContain(attack)
  expect((await historyOf(lookAlike)).data.map(({ metadata }) => metadata.hash)).toEqual([own])
  expect(await waitForItem(bob, attack)).toMatchObject({ metadata: { operationType: 'execute' }, transfers: [] })

  const signed = await send(
    getTokenAddress(0),
    encodeFunctionData({ abi, functionName: 'transfer', args: [lookAlike, 0n] }),
  )
  expect(await waitForItem(victim, signed)).toMatchObject({
    metadata: { operationType: 'send' },
    transfers: [{ direction: 'out', counterparty: lookAlike.toLowerCase(), quantity: { numeric: '0' } }],
  })
})

test('history omits a transaction without a value that a stranger sent to the account', async () => {
  const victim = createUnusedAddress()
  const attack = await send(victim, undefined, 0n, bob)
  const paid = await send(victim, undefined, 7n, bob)
  await waitForItem(victim, paid)
  expect((await historyOf(victim)).data.map(({ metadata }) => metadata.hash)).toEqual([paid])
  expect(await waitForItem(bob, attack)).toMatchObject({ metadata: { operationType: 'execute' }, transfers: [] })
})

test('history omits zero-value transfers that an earlier version indexed', { tags: 'faults' }, async () => {
  const victim = createUnusedAddress()
  const args = [victim, createUnusedAddress(), 0n] as const
  const attack = await send(
    getTokenAddress(0),
    encodeFunctionData({ abi, functionName: 'transferFrom', args }),
    0n,
    bob,
  )
  await waitForItem(bob, attack)
  const { log } = Fastify({ logger: false })
  const { kysely, close } = await openDatabase({ databaseUrl: server.databaseUrl, dataDir: '' }, log)
  onTestFinished(close)
  await sql`
    insert into index_activity (chain, address, mined_at, block, position)
    select chain, decode(${victim.slice(2)}, 'hex'), mined_at, block, position from index_transaction
    where hash = decode(${attack.slice(2)}, 'hex')`.execute(kysely)
  expect((await historyOf(victim)).data).toEqual([])
})

test('history marks transfers of tokens that imitate a listed token', async () => {
  const receiver = createUnusedAddress()
  const { bytecode } = await readArtifact('LocalToken')
  const artifact = { abi: tokenAbi, bytecode, args: ['Latch Dollar', 'LUSD', 6, [bob], 5_000_000n] } as const
  const created = await createNodeClient().deployContract({ ...artifact, account: bob, chain: null })
  const { contractAddress } = await waitUntilMined(createNodeClient(), created)
  const data = encodeFunctionData({ abi, functionName: 'transfer', args: [receiver, 5n] })
  const item = await waitForItem(receiver, await send(contractAddress ?? '0x', data, 0n, bob))
  expect(item.transfers).toMatchObject([{ direction: 'in', fungible_info: { flags: { is_spam: true } } }])
  const real = await waitForItem(receiver, await send(getTokenAddress(0), data))
  expect(real.transfers).toMatchObject([{ fungible_info: { flags: { is_spam: false } } }])
})

test('history names tokens as the operator lists them, otherwise as the contract does', async () => {
  const receiver = createUnusedAddress()
  const [listed, other] = [getTokenAddress(0), getTokenAddress(1)]
  const data = (amount: bigint): Hex => encodeFunctionData({ abi, functionName: 'transfer', args: [receiver, amount] })
  const first = await waitForItem(receiver, await send(listed, data(2_500_000n)))
  expect(first.transfers).toMatchObject([{ fungible_info: { symbol: 'LUSD' }, quantity: { numeric: '2.5' } }])
  const second = await waitForItem(receiver, await send(other, data(10n ** 18n)))
  expect(second.transfers).toMatchObject([{ fungible_info: { symbol: 'KEY' }, quantity: { numeric: '1' } }])
  const { body } = await request(`/v1/account/${receiver}/balance`, { currency: 'usd' })
  expect(body).toMatchObject({
    balances: [{ symbol: 'ETH' }, { symbol: 'LUSD', quantity: { numeric: '2.5' } }, { symbol: 'KEY' }],
  })
})

test('history classifies an approval, a failure, a deployment and a mint', { tags: 'faults' }, async () => {
  const spender = createUnusedAddress()
  const allowed = encodeFunctionData({ abi, functionName: 'approve', args: [spender, 5n] })
  expect(await waitForItem(alice, await send(getTokenAddress(0), allowed))).toMatchObject({
    metadata: { operationType: 'approve' },
    transfers: [],
  })
  const tooMuch = encodeFunctionData({ abi, functionName: 'transfer', args: [spender, 10n ** 40n] })
  expect(await waitForItem(alice, await send(getTokenAddress(0), tooMuch))).toMatchObject({
    metadata: { operationType: 'execute', status: 'failed' },
    transfers: [],
  })
  const deployed = await createNodeClient().sendTransaction({
    chain: null,
    data: '0x60016000f3',
    gas: 200_000n,
  } as never)
  expect(await waitForItem(alice, deployed)).toMatchObject({ metadata: { operationType: 'deploy' } })
  const keys = chain.collections[0]?.address ?? '0x'
  const minted = await send(keys, encodeFunctionData({ abi, functionName: 'mint', args: [spender] }))
  const item = await waitForItem(spender, minted)
  expect(item).toMatchObject({
    metadata: { operationType: 'mint' },
    transfers: [{ direction: 'in', fungible_info: null, nft_info: { flags: { is_spam: false } } }],
  })
})

async function keysOf(address: string): Promise<readonly HeldNft[]> {
  const { body } = await request(`/v1/account/${address}/nfts`)
  return (body as NftPage).data
}

test('NFTs lists current holdings with pictures from this server', async () => {
  const owner = createUnusedAddress()
  const keys = chain.collections[0]?.address ?? '0x'
  await send(keys, encodeFunctionData({ abi, functionName: 'mint', args: [owner] }))
  await expect
    .poll(() => keysOf(owner))
    .toMatchObject([
      { name: expect.stringContaining('Latchkey Key #'), collection: { symbol: 'LKEY' }, quantity: '1', isSpam: false },
    ])
  const [key] = await keysOf(owner)
  expect(key?.picture?.url.startsWith(server.url)).toBe(true)
  const picture = await fetch(key?.picture?.url ?? '')
  expect(picture.headers.get('content-type')).toBe('image/svg+xml')
  expect(picture.headers.get('content-security-policy')).toContain("sandbox; default-src 'none'")
  expect(await picture.text()).toContain('<svg')
  // Alice starts with a key NFT and holds it until it is transferred.
  expect(await keysOf(alice)).toHaveLength(1)
})

test('history pages are complete and without duplicates while blocks arrive', async () => {
  const receiver = createUnusedAddress()
  const hashes: Hex[] = []
  for (let each = 0; each < 60; each += 1) hashes.push(await send(receiver, undefined, BigInt(each + 1)))
  await waitForItem(receiver, hashes[59] ?? '0x')
  const first = await historyOf(receiver)
  expect(first.data).toHaveLength(50)
  await waitForItem(receiver, await send(receiver, undefined, 1n))
  const second = await historyOf(receiver, { cursor: first.next ?? '' })
  expect(second.next).toBeNull()
  expect([...first.data, ...second.data].map((item) => item.metadata.hash)).toEqual(hashes.toReversed())
})

test.each<[string, string, Record<string, string>, string]>([
  ['a name for an address', '/v1/account/alice.eth/history', {}, 'address'],
  ['a short address', '/v1/account/0x12/nfts', {}, 'address'],
  ['an unknown chain', `/v1/account/${alice}/history`, { chainId: 'eip155:99' }, 'chainId'],
  ['half a chain id', `/v1/account/${alice}/history`, { chainId: 'eip155' }, 'chainId'],
  ['a cursor that is too long', `/v1/account/${alice}/history`, { cursor: 'A'.repeat(1_025) }, 'cursor'],
  ['an invalid cursor', `/v1/account/${alice}/history`, { cursor: 'AAAA' }, 'cursor'],
  ['a cursor of another list', `/v1/account/${alice}/nfts`, { cursor: 'MS4yLjMuNA' }, 'cursor'],
  ['an unknown seller', `/v1/account/${alice}/history`, { onramp: 'somebody' }, 'provider'],
  ['no project', `/v1/account/${alice}/history`, { projectId: '' }, 'projectId'],
])('request with %s is rejected with the name of the field', async (_what, path, query, field) => {
  const { status, body } = await request(path, query)
  expect([status, body]).toMatchObject([400, { status: 'FAILED', reasons: [{ field }] }])
})
