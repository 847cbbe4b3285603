import { addresses, exchangeConfig, startChains, type LocalChain, type LocalChains } from '@latchkey/devnet'
import type { ConvertQuotesResponse } from '@latchkey/protocol'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInProcessBus } from '../../kit/bus/bus.ts'
import type { Chain } from '../../kit/chain/chains.ts'
import { mountEndpoints } from '../../kit/http/defineEndpoint.ts'
import { createHttp } from '../../kit/http/createHttp.ts'
import { createEndpointPools } from '../../kit/chain/endpointPools.ts'
import { createProjects } from '../../kit/http/projects.ts'
import { createBuildApproveEndpoint } from './buildApproveEndpoint.ts'
import { createBuildTransactionEndpoint } from './buildTransactionEndpoint.ts'
import { createQuotesEndpoint } from './quotesEndpoint.ts'
import { nativeAddress } from './routeSource.ts'
import { createRouteSources } from './routeSources.ts'
import { createTokensEndpoint } from './tokensEndpoint.ts'

const [alice] = addresses
const clock = { ahead: 0, now: () => Date.now() + clock.ahead }
const toCaipId = (address: string, chain = 'eip155:31337'): string => `${chain}:${address}`
const native = toCaipId(nativeAddress)

let world: LocalChains
let local: LocalChain
let app: FastifyInstance

beforeAll(async () => {
  world = await startChains()
  local = world.chains[0]
  const { network, rpcUrl } = local
  const { name, nativeCurrency } = network
  const exchange = exchangeConfig(local)
  const chain = { name, nativeCurrency, rpcUrls: [rpcUrl], tokens: local.tokens }
  const chains: readonly Chain[] = [
    { ...chain, caipNetworkId: 'eip155:31337', exchange },
    { ...chain, caipNetworkId: 'eip155:31338' },
    { ...chain, caipNetworkId: 'eip155:1', exchange: false },
    { ...chain, caipNetworkId: 'eip155:5', rpcUrls: ['http://127.0.0.1:1'], exchange },
    { ...chain, caipNetworkId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', exchange },
  ]
  const pools = createEndpointPools(clock)
  const fields = { chains, pools, bus: createInProcessBus(), clock }
  const markets = { ...fields, sources: createRouteSources(fields) }
  app = await createHttp({ logLevel: 'silent', projects: createProjects('any') })
  const endpoints = [
    createTokensEndpoint(markets),
    createQuotesEndpoint(markets),
    createBuildApproveEndpoint(markets),
    createBuildTransactionEndpoint(markets),
  ]
  mountEndpoints(app, endpoints, () => undefined)
})
afterAll(() => world.close())

const getTokenId = (at: 0 | 1): string => toCaipId(local.tokens[at]?.address ?? '0x')
const createSwapRequest = () => ({ from: native, to: getTokenId(0), amount: '1000000000000000' })

type Reply = { status: number; body: unknown }

async function get(what: string, query: Record<string, string>): Promise<Reply> {
  const response = await app.inject(`/v1/convert/${what}?${new URLSearchParams(query)}`)
  return { status: response.statusCode, body: response.json() }
}

async function build(payload: object | string): Promise<Reply> {
  const response = await app.inject({ method: 'POST', url: '/v1/convert/build-transaction', payload })
  return { status: response.statusCode, body: response.json() }
}

const createRefusal = (field: string, description: unknown = expect.any(String)) => ({
  status: 400,
  body: { status: 'FAILED', reasons: [{ field, description }] },
})

test.each<[string, Record<string, string>, string]>([
  ['no amount of anything', { amount: '0' }, 'amount'],
  ['half a unit', { amount: '0.5' }, 'amount'],
  ['less than nothing', { amount: '-1' }, 'amount'],
  ['hexadecimal digits', { amount: '0x10' }, 'amount'],
  ['a float', { amount: '1e18' }, 'amount'],
  ['more than there can be', { amount: String(2n ** 128n) }, 'amount'],
  ['the same token twice', { to: native }, 'to'],
  [
    'the same token in other letters',
    { to: native.toUpperCase().replace('EIP155', 'eip155').replace('0X', '0x') },
    'to',
  ],
  ['another chain', { to: toCaipId(`0x${'12'.repeat(20)}`, 'eip155:1') }, 'to'],
  ['a bare address', { from: nativeAddress }, 'from'],
  ['a short address', { to: toCaipId('0x12') }, 'to'],
  [
    'a chain that is not known',
    { from: toCaipId(nativeAddress, 'eip155:77'), to: toCaipId(`0x${'12'.repeat(20)}`, 'eip155:77') },
    'chainId',
  ],
  [
    'a chain without exchange',
    { from: toCaipId(nativeAddress, 'eip155:31338'), to: toCaipId(alice, 'eip155:31338') },
    'chainId',
  ],
  [
    'a chain that does without',
    { from: toCaipId(nativeAddress, 'eip155:1'), to: toCaipId(alice, 'eip155:1') },
    'chainId',
  ],
  ['a chain of another family', { from: `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:${alice}` }, 'from'],
])('quotes rejects %s with the reason', async (_what, query, field) => {
  expect(await get('quotes', { ...createSwapRequest(), ...query })).toMatchObject(createRefusal(field))
  const order = { ...createSwapRequest(), ...query, userAddress: toCaipId(alice), eip155: { slippage: 1 } }
  expect(await build(order)).toMatchObject(createRefusal(field))
})

test('quotes distinguishes a missing route, missing liquidity and an amount that is too small', async () => {
  const nowhere = toCaipId(`0x${'12'.repeat(20)}`)
  const noRoute = createRefusal('', expect.stringContaining('no route'))
  expect(await get('quotes', { ...createSwapRequest(), to: nowhere })).toMatchObject(noRoute)
  const dry = createRefusal('amount', expect.stringContaining('insufficient liquidity'))
  expect(await get('quotes', { ...createSwapRequest(), amount: String(2n ** 127n) })).toMatchObject(dry)
  expect(await get('quotes', { ...createSwapRequest(), amount: String(10n ** 24n) })).toMatchObject(dry)
  expect(await get('quotes', { ...createSwapRequest(), amount: '1' })).toMatchObject(
    createRefusal('amount', expect.stringContaining('too small')),
  )
})

test('quotes fails with 503 if the chain is not available', async () => {
  const away = { from: toCaipId(nativeAddress, 'eip155:5'), to: toCaipId(alice, 'eip155:5'), amount: '1' }
  const gone = { status: 503, body: { reasons: [{ field: 'chainId' }] } }
  expect(await get('quotes', away)).toMatchObject(gone)
  expect(await get('tokens', { chainId: 'eip155:5' })).toMatchObject(gone)
  expect(await get('build-approve', { from: toCaipId(alice, 'eip155:5'), to: away.from })).toMatchObject(gone)
  const order = { ...away, userAddress: toCaipId(alice, 'eip155:5'), eip155: { slippage: 1 } }
  expect(await build(order)).toMatchObject(gone)
})

test.each<[unknown, number | string]>([
  [1, 200],
  ['1', 200],
  [0, 200],
  ['0.5', 200],
  [50, 200],
  ['2.500000', 200],
  [50.1, 'slippage'],
  [-1, 'slippage'],
  ['1%', 'slippage'],
  ['', 'slippage'],
  [1e-7, 'slippage'],
  [undefined, 'slippage'],
])('build with slippage %j returns %j', async (slippage, outcome) => {
  const { status, body } = await build({ ...createSwapRequest(), userAddress: toCaipId(alice), eip155: { slippage } })
  if (outcome === 200) expect(status).toBe(200)
  else
    expect({ status, body: JSON.stringify(body) }).toEqual({
      status: 400,
      body: expect.stringContaining(outcome as string),
    })
})

test('build accepts a quote only for its own swap, and only until it expires', async () => {
  const { body } = await get('quotes', createSwapRequest())
  const quoteId = (body as ConvertQuotesResponse).quotes[0]?.id ?? ''
  const order = { ...createSwapRequest(), userAddress: toCaipId(alice), eip155: { slippage: 1 }, quoteId }
  expect(await build(order)).toMatchObject({ status: 200 })
  for (const other of [
    { amount: '1000000000000001' },
    { to: getTokenId(1) },
    { from: getTokenId(1) },
    { from: getTokenId(0), to: native },
  ]) {
    expect(await build({ ...order, ...other })).toMatchObject(createRefusal('quoteId'))
  }
  for (const id of ['x', 'bm8', quoteId.slice(4), Buffer.from('[1,2,3]').toString('base64url'), ' ']) {
    expect(await build({ ...order, quoteId: id })).toMatchObject(createRefusal('quoteId'))
  }
  clock.ahead = 301_000
  expect(await build(order)).toMatchObject(createRefusal('quoteId', expect.stringContaining('has expired')))
  clock.ahead = 0
})

test('build rejects a quote id whose route does not lead between the tokens', async () => {
  const { body } = await get('quotes', createSwapRequest())
  const id = (body as ConvertQuotesResponse).quotes[0]?.id ?? ''
  const forge = (change: (fields: unknown[]) => void): string => {
    const fields = JSON.parse(Buffer.from(id, 'base64url').toString()) as unknown[]
    change(fields)
    return Buffer.from(JSON.stringify(fields)).toString('base64url')
  }
  const elsewhere = `0x${'12'.repeat(20)}`
  const forged = [
    forge((fields) => void (fields[7] = [['v2', 3_000, elsewhere]])),
    forge((fields) => void (fields[7] = [])),
    forge((fields) => void (fields[6] = elsewhere)),
    forge((fields) => void (fields[7] = [['v9', 3_000, elsewhere]])),
    forge((fields) => void (fields[7] = [['v3', -1, local.tokens[0]?.address.toLowerCase()]])),
    forge((fields) => void (fields[3] = '-1')),
    forge((fields) => void (fields[3] = { toString: 'no' })),
    forge((fields) => void (fields[5] = 1e300)),
  ]
  for (const quoteId of forged) {
    expect(
      await build({
        ...createSwapRequest(),
        userAddress: toCaipId(alice),
        eip155: { slippage: 1 },
        quoteId,
        disableEstimate: true,
      }),
    ).toMatchObject(createRefusal('quoteId'))
  }
})

test('build-approve rejects anything but a token of the chain', async () => {
  expect(await get('build-approve', { from: native, to: getTokenId(0) })).toMatchObject(createRefusal('from'))
  expect(await get('build-approve', { from: getTokenId(0), to: toCaipId(alice, 'eip155:1') })).toMatchObject(
    createRefusal('to'),
  )
  const much = { from: getTokenId(0), to: native, amount: String(2n ** 256n) }
  expect(await get('build-approve', much)).toMatchObject(createRefusal('amount'))
  const query = { from: toCaipId(alice, 'eip155:31338'), to: toCaipId(alice, 'eip155:31338') }
  expect(await get('build-approve', query)).toMatchObject(createRefusal('chainId'))
})

test('swap endpoints never return an internal error', async () => {
  const odd = fc.oneof(
    fc.constantFrom<unknown>(
      native,
      toCaipId(alice),
      toCaipId(`0x${'00'.repeat(20)}`),
      '1',
      '0',
      1,
      -1,
      0.1,
      1e40,
      null,
      true,
      [],
      {},
    ),
    fc.constantFrom<unknown>(
      '9'.repeat(78),
      'eip155:1:',
      'eip155:31337:0x',
      '%',
      '🗝',
      { slippage: [] },
      { slippage: {} },
    ),
    fc.string({ maxLength: 200 }),
    fc.jsonValue({ maxDepth: 2 }),
  )
  const names = ['from', 'to', 'amount', 'userAddress', 'eip155', 'disableEstimate', 'quoteId', 'projectId']
  const good = { ...createSwapRequest(), userAddress: toCaipId(alice), eip155: { slippage: 1 } }
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), odd, { maxKeys: 3 }), async (changed) => {
      expect((await build({ ...good, ...changed })).status).toBeLessThan(500)
    }),
    { numRuns: 150 },
  )
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 3 }), async (body) => {
      expect((await build(JSON.stringify(body))).status).toBeLessThan(500)
    }),
    { numRuns: 50 },
  )
})

test("tokens lists the operator's tokens and ignores metadata of contracts", async () => {
  const only = await get('tokens', { chainId: 'eip155:31337', address: toCaipId(`0x${'12'.repeat(20)}` as Hex) })
  expect(only).toEqual({ status: 200, body: { exactOutput: true, tokens: [] } })
  expect(await get('tokens', { chainId: 'eip155:31338' })).toMatchObject(createRefusal('chainId'))
  expect(await get('tokens', { chainId: 'x' })).toMatchObject(createRefusal('chainId'))
})
