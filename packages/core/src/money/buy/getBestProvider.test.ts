import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../../connection/connect.ts'
import { fakeConnector, fakeWorld, type FakeWorld } from '../../testing/fakes.ts'
import { getQuickAmounts } from './buyProblem.ts'
import { buyState, chooseProvider, choosePaymentCurrency, openBuy, setPaymentAmount, type BuyState } from './index.ts'
import { getBestProvider, getBuyRate } from './getBestProvider.ts'
import { closedBuy } from './state.ts'

const chainId = 'eip155:1'
const serverUrl = 'https://onramp.invalid'

/** A provider of the fake server. It has no price if it has no amount. */
type ProviderOffer = { name: string; amount?: string; currencies?: readonly string[]; isDown?: boolean; max?: string }

type BuyWorld = FakeWorld & {
  state(): BuyState
  requested: string[]
  offered: ProviderOffer[]
  hold(name: string): () => void
}

/** A user who buys from several providers. */
async function createBuyWorld(...offered: ProviderOffer[]): Promise<BuyWorld> {
  const { fetch } = globalThis
  onTestFinished(() => void (globalThis.fetch = fetch))
  const requested: string[] = []
  const held = new Map<string, Promise<void>>()
  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const body = typeof init?.body === 'string' ? JSON.parse(init.body) : {}
    const id = String(url.searchParams.get('provider') ?? body.provider ?? '')
    const one = offered.find(({ name }) => name === id)
    if (url.pathname === '/v1/onramp/providers') return Response.json(offered.map(({ name }) => providerOf(name)))
    if (url.pathname === '/v1/onramp/options') {
      if (one?.isDown === true) throw new TypeError('It is down.')
      return Response.json(optionsOf(one))
    }
    requested.push(`${id} ${body.amount} ${body.paymentCurrency.id}`)
    await held.get(id)
    if (one?.amount === undefined) return Response.json({}, { status: 503 })
    return Response.json(quoteOf(one.amount, body.amount, body.paymentCurrency.id))
  }
  const world = fakeWorld({ connectors: [fakeConnector()], server: serverUrl, projectId: 'ab'.repeat(16) })
  await connect(world.latchkey, 'fake')
  await openBuy(world.latchkey)
  const hold = (name: string): (() => void) => {
    let release = (): void => {}
    held.set(name, new Promise((resolve) => void (release = resolve)))
    return () => release()
  }
  return { ...world, state: () => buyState(world.latchkey).getState(), requested, offered, hold }
}

const providerOf = (name: string) => ({ serviceProvider: name, name, fee: { min: 1, max: 2 }, chains: [chainId] })

function optionsOf({ currencies = ['USD', 'EUR'], max = '500.00' }: Partial<ProviderOffer> = {}): object {
  const network = { name: chainId, caip_network_id: chainId, contract_address: '' }
  return {
    paymentCurrencies: currencies.map((id) => ({
      id,
      payment_method_limits: [{ id: 'card', min: '10.00', max }],
    })),
    purchaseCurrencies: [{ id: 'ETH', name: 'Ether', symbol: 'ETH', networks: [network] }],
  }
}

function quoteOf(purchase: string, total: string, currency: string): object {
  const money = (amount: string): object => ({ amount, currency })
  return { paymentTotal: money(total), purchaseAmount: { amount: purchase, currency: 'ETH' }, networkFee: money('0') }
}

test('all providers are quoted at once, and the cheapest one is known', async () => {
  const { latchkey, clock, state, requested } = await createBuyWorld(
    { name: 'one', amount: '0.04' },
    { name: 'two', amount: '0.05' },
    { name: 'three' },
  )
  setPaymentAmount(latchkey, '100')
  expect(state().offers).toEqual({
    one: { status: 'waiting' },
    two: { status: 'waiting' },
    three: { status: 'waiting' },
  })
  clock.advance(500)
  await expect.poll(() => state().offers['three']).toMatchObject({ status: 'failed', error: { code: 'buy/no-quote' } })
  expect(state()).toMatchObject({
    quote: { quote: { purchase: { amount: '0.04' } } },
    offers: { one: { quote: { purchase: { amount: '0.04' } } }, two: { quote: { purchase: { amount: '0.05' } } } },
  })
  expect(requested).toEqual(['one 100.00 USD', 'two 100.00 USD', 'three 100.00 USD'])
  expect(getBestProvider(state())).toBe('two')
  const { quote } = state()
  expect(quote.status === 'ready' && getBuyRate(quote.quote)).toBe(2_500)
})

test('choosing another provider shows its quote without another request', async () => {
  const { latchkey, clock, state, requested } = await createBuyWorld(
    { name: 'one', amount: '0.04' },
    { name: 'two', amount: '0.05' },
  )
  setPaymentAmount(latchkey, '100')
  clock.advance(500)
  await expect.poll(() => getBestProvider(state())).toBe('two')
  await chooseProvider(latchkey, 'two')
  expect(state()).toMatchObject({ provider: 'two', quote: { quote: { purchase: { amount: '0.05' } } } })
  clock.advance(500)
  expect(requested).toHaveLength(2)
})

test('a slow provider delays no other, and becomes the quote if it is chosen in the meantime', async () => {
  const { latchkey, clock, state, hold } = await createBuyWorld(
    { name: 'one', amount: '0.04' },
    { name: 'two', amount: '0.05' },
  )
  const release = hold('two')
  setPaymentAmount(latchkey, '100')
  clock.advance(500)
  await expect.poll(() => state().quote.status).toBe('ready')
  expect(getBestProvider(state())).toBeUndefined()
  await chooseProvider(latchkey, 'two')
  expect(state().quote).toEqual({ status: 'waiting' })
  release()
  await expect.poll(() => state().quote).toMatchObject({ quote: { purchase: { amount: '0.05' } } })
})

test('a provider without the currency, or above its limit, gets no request', async () => {
  const { latchkey, clock, state, requested } = await createBuyWorld(
    { name: 'one', amount: '0.04' },
    { name: 'two', amount: '0.05', currencies: ['EUR'] },
    { name: 'three', amount: '0.06', max: '50.00' },
  )
  setPaymentAmount(latchkey, '100')
  clock.advance(500)
  await expect.poll(() => state().quote.status).toBe('ready')
  expect(requested).toEqual(['one 100.00 USD'])
  expect(state().offers).toMatchObject({ two: { status: 'none' }, three: { status: 'none' } })
  // The only currency of that provider is another one.
  await chooseProvider(latchkey, 'two')
  clock.advance(500)
  await expect.poll(() => state()).toMatchObject({ payment: 'EUR', quote: { quote: { total: { currency: 'EUR' } } } })
})

test('a provider whose currencies can’t be read is read again when it is chosen', async () => {
  const { latchkey, state, offered } = await createBuyWorld({ name: 'one' }, { name: 'two', isDown: true })
  expect(state().status).toBe('open')
  await chooseProvider(latchkey, 'two')
  expect(state().quote).toMatchObject({ status: 'failed', error: { code: 'http/unreachable' } })
  await chooseProvider(latchkey, 'one')
  offered[1] = { name: 'two', currencies: ['EUR'] }
  await chooseProvider(latchkey, 'two')
  expect(state()).toMatchObject({ provider: 'two', payment: 'EUR' })
})

test('a change removes the quotes of all providers', async () => {
  const { latchkey, clock, state } = await createBuyWorld(
    { name: 'one', amount: '0.04' },
    { name: 'two', amount: '0.05' },
  )
  setPaymentAmount(latchkey, '100')
  clock.advance(500)
  await expect.poll(() => getBestProvider(state())).toBe('two')
  choosePaymentCurrency(latchkey, 'EUR')
  expect(state().offers).toEqual({ one: { status: 'waiting' }, two: { status: 'waiting' } })
  setPaymentAmount(latchkey, '')
  expect(state().offers).toEqual({ one: { status: 'none' }, two: { status: 'none' } })
})

test.each([
  ['10.00', '7500.00', ['50', '100', '200']],
  ['1.00', '7500.00', ['5', '10', '20']],
  ['1500', '1000000', ['10000', '20000', '50000']],
  ['10.00', '120.00', ['50', '100']],
  ['10.00', '40.00', []],
  ['0.00', '3.00', ['1', '2']],
])('quick amounts between %s and %s are %j', (min, max, amounts) => {
  const payments = [{ id: 'USD', limits: [{ method: 'card', min, max }] }] as const
  expect(getQuickAmounts({ ...closedBuy, payments, payment: 'USD' })).toEqual(amounts)
})

test('quick amounts are those of the chosen payment method', () => {
  const limits = [
    { method: 'card', min: '10.00', max: '100.00' },
    { method: 'ach_bank_account', min: '100.00', max: '25000.00' },
  ] as const
  const form = { ...closedBuy, payments: [{ id: 'USD', limits }], payment: 'USD' }
  expect(getQuickAmounts(form)).toEqual(['50', '100', '200'])
  expect(getQuickAmounts({ ...form, method: 'card' })).toEqual(['50', '100'])
  expect(getQuickAmounts({ ...form, method: 'ach_bank_account' })).toEqual(['500', '1000', '2000'])
  expect(getQuickAmounts(closedBuy)).toEqual([])
})
