import { addresses, startChains, type LocalChains } from '@latchkey/devnet'
import type { FastifyInstance } from 'fastify'
import { createTestClient, encodeFunctionData, http, parseAbi, publicActions, walletActions } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../kit/runtime/clock.ts'
import { mountEndpoints } from '../../kit/http/defineEndpoint.ts'
import { createHttp } from '../../kit/http/createHttp.ts'
import { createEndpointPools } from '../../kit/chain/endpointPools.ts'
import { createProjects } from '../../kit/http/projects.ts'
import { startRpcNode, type RpcNode } from '../../testing/rpcNode.ts'
import { createAllowanceEndpoint } from './allowanceEndpoint.ts'
import { createGasPriceEndpoint } from './gasPriceEndpoint.ts'
import { createRouteSources } from './routeSources.ts'

const [owner, spender] = addresses
const native = `0x${'e'.repeat(40)}`
const gwei = 10n ** 9n
const abi = parseAbi(['function approve(address to, uint256 amount)'])

let world: LocalChains
let fees: RpcNode
let app: FastifyInstance
let responses: { price?: unknown; history?: unknown } = {}

beforeAll(async () => {
  world = await startChains()
  fees = await startRpcNode(() => [
    { id: 0, jsonrpc: '2.0', result: responses.price },
    { id: 1, jsonrpc: '2.0', result: responses.history },
  ])
  const { network, rpcUrl, tokens } = world.chains[0]
  const { caipNetworkId, name, nativeCurrency } = network
  const chain = { caipNetworkId, name, nativeCurrency, rpcUrls: [rpcUrl], tokens, swapContract: spender }
  const other = { ...chain, swapContract: undefined, exchange: false as const }
  const chains = [
    chain,
    { ...other, caipNetworkId: 'eip155:1' as const, rpcUrls: [fees.url] },
    { ...other, caipNetworkId: 'eip155:5' as const, rpcUrls: ['http://127.0.0.1:1'] },
    { ...other, caipNetworkId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' as const },
  ]
  const pools = createEndpointPools(systemClock)
  const dependencies = { chains, pools, sources: createRouteSources({ pools, clock: systemClock }) }
  app = await createHttp({ logLevel: 'silent', projects: createProjects('any') })
  mountEndpoints(app, [createGasPriceEndpoint(dependencies), createAllowanceEndpoint(dependencies)], () => undefined)
})
afterAll(async () => {
  await fees.close()
  await world.close()
})

async function sendRequest(what: string, query: Record<string, string>): Promise<{ status: number; body: unknown }> {
  const response = await app.inject(`/v1/convert/${what}?${new URLSearchParams(query)}`)
  return { status: response.statusCode, body: response.json() }
}

const toHexAmount = (amount: bigint): string => `0x${amount.toString(16)}`

test('gas prices of a real chain rise with urgency [R7.1.10]', async () => {
  const { status, body } = await sendRequest('gas-price', { chainId: 'eip155:31337' })
  expect(status).toBe(200)
  const { standard, fast, instant } = body as Record<string, string>
  const prices = [standard, fast, instant].map((price) => BigInt(price ?? '-1'))
  expect(prices.every((price) => price > 0n)).toBe(true)
  expect(prices.toSorted((a, b) => Number(a - b))).toEqual(prices)
})

test('gas prices are the next base fee plus recent tips [R7.1.10]', async () => {
  const reward = [1n, 9n, 2n].map((tip) => [
    toHexAmount(tip * gwei),
    toHexAmount(2n * tip * gwei),
    toHexAmount(3n * tip * gwei),
  ])
  responses = {
    price: toHexAmount(gwei),
    history: { baseFeePerGas: [toHexAmount(8n), toHexAmount(80n * gwei)], reward },
  }
  const { body } = await sendRequest('gas-price', { chainId: 'eip155:1' })
  expect(body).toEqual({
    standard: String((80n + 2n) * gwei),
    fast: String((90n + 4n) * gwei),
    instant: String((100n + 6n) * gwei),
  })
})

test("gas prices use the node's suggestion without a fee history, and never fall below it", async () => {
  responses = { price: toHexAmount(8n * gwei) }
  const suggested = { standard: String(8n * gwei), fast: String(9n * gwei), instant: String(10n * gwei) }
  expect((await sendRequest('gas-price', { chainId: 'eip155:1' })).body).toEqual(suggested)
  responses = {
    price: toHexAmount(3n * gwei),
    history: { baseFeePerGas: ['0x0', '0x0'], reward: [['0x0', '0x1', 'x'], null] },
  }
  const least = String(3n * gwei)
  expect((await sendRequest('gas-price', { chainId: 'eip155:1' })).body).toEqual({
    standard: least,
    fast: least,
    instant: least,
  })
  responses = { price: '-0x1', history: 'none' }
  expect((await sendRequest('gas-price', { chainId: 'eip155:1' })).status).toBe(503)
})

test.each(['eip155:77', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'one', ''])(
  'gas prices reject chain %j',
  async (chainId) => {
    const refused = { status: 400, body: { reasons: [{ field: 'chainId' }] } }
    expect(await sendRequest('gas-price', { chainId })).toMatchObject(refused)
  },
)

const toCaipId = (address: string, chain = 'eip155:31337'): string => `${chain}:${address}`

test('allowance is what the swap contract may spend [R7.1.9]', async () => {
  const [token] = world.chains[0].tokens
  if (token === undefined) throw new Error('The local chain has no token.')
  const query = { tokenAddress: toCaipId(token.address), userAddress: toCaipId(owner) }
  expect(await sendRequest('allowance', query)).toEqual({ status: 200, body: { allowance: '0' } })
  const node = createTestClient({ mode: 'anvil', account: owner, transport: http(world.chains[0].rpcUrl) })
    .extend(publicActions)
    .extend(walletActions)
  const data = encodeFunctionData({ abi, functionName: 'approve', args: [spender, 12_345n] })
  const hash = await node.sendTransaction({ chain: null, to: token.address, data })
  await node.waitForTransactionReceipt({ hash, pollingInterval: 10 })
  expect(await sendRequest('allowance', query)).toEqual({ status: 200, body: { allowance: '12345' } })
  const other = await sendRequest('allowance', { ...query, spenderAddress: toCaipId(owner) })
  expect(other).toEqual({ status: 200, body: { allowance: '0' } })
})

test('allowance of the native currency is unlimited', async () => {
  const { body } = await sendRequest('allowance', { tokenAddress: toCaipId(native), userAddress: toCaipId(owner) })
  expect(body).toEqual({ allowance: String(2n ** 256n - 1n) })
})

test.each<[string, Record<string, string>, string]>([
  ['a token that is not an id', { tokenAddress: native }, 'tokenAddress'],
  ['a token of another family', { tokenAddress: `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:${owner}` }, 'tokenAddress'],
  ['an address without a contract', { tokenAddress: toCaipId(`0x${'12'.repeat(20)}`) }, 'tokenAddress'],
  ['a token of an unknown chain', { tokenAddress: toCaipId(native, 'eip155:77') }, 'chainId'],
  ['a user on another chain', { userAddress: toCaipId(owner, 'eip155:1') }, 'userAddress'],
  ['a user that is a name', { userAddress: 'alice.eth' }, 'userAddress'],
  ['an invalid spender', { spenderAddress: toCaipId('0x12') }, 'spenderAddress'],
  [
    'a chain where nothing swaps',
    { tokenAddress: toCaipId(native, 'eip155:1'), userAddress: toCaipId(owner, 'eip155:1') },
    'spenderAddress',
  ],
])('allowance with %s is rejected with the name of the field', async (_what, query, field) => {
  const request = { tokenAddress: toCaipId(native), userAddress: toCaipId(owner), ...query }
  expect(await sendRequest('allowance', request)).toMatchObject({ status: 400, body: { reasons: [{ field }] } })
})

test('gas price and allowance fail with 503 if the chain is not available', async () => {
  const away = (address: string): string => toCaipId(address, 'eip155:5')
  const query = { tokenAddress: away(spender), userAddress: away(owner), spenderAddress: away(spender) }
  expect((await sendRequest('allowance', query)).status).toBe(503)
  expect((await sendRequest('gas-price', { chainId: 'eip155:5' })).status).toBe(503)
})
