import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Problem } from '../../../kit/http/problem.ts'
import { nativeAddress, type Hex, type SwapOrder, type RouteSource } from '../routeSource.ts'
import { createZeroEx } from './zeroEx.ts'

// The responses are written by hand from the provider's documentation, not recorded from the service.
const from: Hex = `0x${'a'.repeat(40)}`
const to: Hex = `0x${'b'.repeat(40)}`
const user: Hex = `0x${'c'.repeat(40)}`
const spender = '0x0000000000001fF3684f28c67538d4D072C22734'
const key = 'a-key-that-nobody-sees'
const price = {
  liquidityAvailable: true,
  blockNumber: '20850142',
  buyToken: to,
  buyAmount: '1000000',
  minBuyAmount: '990000',
  sellToken: from,
  sellAmount: '500',
  allowanceTarget: spender,
  gas: '288079',
  issues: { allowance: { actual: '0', spender }, balance: null, simulationIncomplete: false },
  route: { fills: [{ from, to, source: 'Some_Exchange', proportionBps: '10000' }], tokens: [] },
}
const quote = { ...price, transaction: { to: spender, data: '0x2213bc0b00', gas: '288079', gasPrice: '7', value: '0' } }

let server: Server
let source: RouteSource
let requests: IncomingMessage[] = []
let result: { status: number; body: unknown } = { status: 200, body: price }
let time = 1_750_000_000_000

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request)
    response.writeHead(result.status).end(typeof result.body === 'string' ? result.body : JSON.stringify(result.body))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => new Promise((resolve) => void server.close(resolve)))
beforeEach(() => {
  // Each test has its own address, so that circuit breakers don't affect other tests.
  const { port } = server.address() as AddressInfo
  const provider = { kind: '0x', url: `http://127.0.0.1:${port}/`, key } as const
  source = createZeroEx({ provider, chainId: '8453', clock: { now: () => time } })
  requests = []
  result = { status: 200, body: price }
})

const swapRequest = { from, to, amount: 500n }
const order: SwapOrder = { ...swapRequest, user, slippage: 10_000n }

test('quote sends the key only in a header and returns the received amount', async () => {
  const [offered] = await source.quotes(swapRequest)
  expect(offered).toMatchObject({
    received: 1_000_000n,
    gas: 288_079n,
    hops: [{ exchange: 'Some_Exchange (0x)', from, to }],
  })
  const [request] = requests
  expect(request?.url).toBe(`/swap/allowance-holder/price?chainId=8453&sellToken=${from}&buyToken=${to}&sellAmount=500`)
  expect(request?.headers).toMatchObject({ '0x-api-key': key, '0x-version': 'v2' })
})

test('build returns a transaction for the configured contract, amount and minimum', async () => {
  const [offered] = await source.quotes(swapRequest)
  result = { status: 200, body: quote }
  const built = await source.build({ ...order, quoteId: offered?.id })
  expect(built).toEqual({
    to: spender,
    data: '0x2213bc0b00',
    value: 0n,
    gas: 288_079n,
    spare: 0n,
    maximum: 500n,
    minimum: 990_000n,
  })
  expect(requests[1]?.url).toContain(`taker=${user}&slippageBps=100`)
  result = { status: 200, body: { ...quote, minBuyAmount: '989999' } }
  const late = source.build({ ...order, quoteId: offered?.id })
  await expect(late).rejects.toMatchObject({ status: 400, field: 'slippage' })
  time += 301_000
  await expect(source.build({ ...order, quoteId: offered?.id })).rejects.toMatchObject({ field: 'quoteId' })
  await expect(source.build({ ...order, amount: 501n, quoteId: offered?.id })).rejects.toMatchObject({
    field: 'quoteId',
  })
})

test.each<[string, object]>([
  ['sends it to another address', { transaction: { ...quote.transaction, to: user } }],
  ['wants an allowance for another address', { issues: { allowance: { actual: '0', spender: user } } }],
  ['takes native currency along', { transaction: { ...quote.transaction, value: '1' } }],
  ['sells more', { sellAmount: '501' }],
  ['calls nothing', { transaction: { ...quote.transaction, data: '0x' } }],
  ['writes no call', { transaction: { ...quote.transaction, data: 7 } }],
  ['says no minimum', { minBuyAmount: null }],
])('build rejects a transaction of the provider that %s', async (_what, changed) => {
  result = { status: 200, body: { ...quote, ...changed } }
  const refused = source.build(order)
  await expect(refused).rejects.toThrow(/^0x /)
  await expect(refused).rejects.not.toBeInstanceOf(Problem)
})

test('build sends exactly the native amount as value', async () => {
  const native = { ...order, from: nativeAddress }
  result = { status: 200, body: { ...quote, issues: {}, transaction: { ...quote.transaction, value: '500' } } }
  expect(await source.build(native)).toMatchObject({ value: 500n })
  result = { status: 200, body: { ...quote, issues: {} } }
  await expect(source.build(native)).rejects.toThrow('another amount')
})

test('quote distinguishes missing liquidity, a rejected request and an unavailable provider', async () => {
  result = { status: 200, body: { liquidityAvailable: false } }
  await expect(source.quotes(swapRequest)).rejects.toThrow('insufficient liquidity')
  result = { status: 400, body: { name: 'INPUT_INVALID', message: `bad ${key}` } }
  await expect(source.quotes(swapRequest)).rejects.toMatchObject({ status: 400 })
  for (const [status, body] of [
    [500, ''],
    [401, { message: key }],
    [200, 'HTML'],
    [200, {}],
  ] as const) {
    result = { status, body }
    const failed: unknown = await source.quotes(swapRequest).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(Error)
    expect(String(failed)).not.toContain(key)
  }
})

test('quote does not call a provider that failed repeatedly', async () => {
  result = { status: 500, body: '' }
  for (let each = 0; each < 25; each += 1) await source.quotes(swapRequest).catch(() => undefined)
  expect(requests).toHaveLength(20)
})
