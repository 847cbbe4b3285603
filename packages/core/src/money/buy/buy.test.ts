import { onRampKey, startChains, type LocalChains } from '@latchkey/devnet'
import type { AccountId } from '@latchkey/protocol'
import { startTestServer } from '@latchkey/server/testing'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { connect } from '../../actions/connect.ts'
import { fakeAdapter, fakeConnector, fakeNetwork, fakeWorld, type FakeWorld } from '../../testing/fakes.ts'
import {
  buyAgain,
  buyProblem,
  buyState,
  choosePaymentCurrency,
  choosePurchaseCurrency,
  getBuyQuote,
  listPurchases,
  openBuy,
  setPaymentAmount,
  startBuy,
  watchBuy,
  type BuyState,
  type BuyWindow,
} from './index.ts'

type Server = Awaited<ReturnType<typeof startTestServer>>

const projectId = 'ab'.repeat(16)
const rates = { ETH: { USD: '2500', EUR: '2000' }, LUSD: { USD: '1' } }

let chains: LocalChains
let server: Server

beforeAll(async () => {
  chains = await startChains()
  const { network, rpcUrl, tokens } = chains.chains[0]
  const { caipNetworkId, name, nativeCurrency } = network
  const chain = { caipNetworkId, name, nativeCurrency, rpcUrls: [rpcUrl], tokens }
  server = await startTestServer({ chains: [chain], onRamp: { sandbox: { key: onRampKey, rates } } })
})
afterAll(async () => {
  await server.close()
  await chains.close()
})

/** What a test does to the way between us and the server. */
type Way = { down: boolean; held: RegExp | undefined; asked: string[]; release(): void }
let way: Way

beforeEach(() => {
  const { fetch } = globalThis
  onTestFinished(() => void (globalThis.fetch = fetch))
  let release = (): void => {}
  const gate = new Promise<void>((resolve) => (release = resolve))
  way = { down: false, held: undefined, asked: [], release }
  globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    if (!pathname.startsWith('/v1/')) return fetch(input, init)
    way.asked.push(pathname)
    if (way.down) throw new TypeError('Nobody is there.')
    const answer = await fetch(input, init)
    if (way.held?.test(pathname) === true) await gate
    return answer
  }
})

let people = 0

/** Somebody without coins, whose modal is open on buying. */
async function buyer(): Promise<FakeWorld & { account: AccountId; state(): BuyState }> {
  people += 1
  const account: AccountId = `eip155:31337:0x${'c0de'.repeat(9)}${people.toString(16).padStart(4, '0')}`
  const world = fakeWorld({
    adapters: [fakeAdapter({ networks: [fakeNetwork({ id: 31337 }), fakeNetwork({ id: 1 })] })],
    connectors: [fakeConnector({ accounts: [account] })],
    server: server.url,
    projectId,
  })
  await connect(world.latchkey, 'fake')
  return { ...world, account, state: () => buyState(world.latchkey).getState() }
}

/** A window that remembers where it was sent. */
function fakeWindow(): BuyWindow & { urls: string[]; closed: boolean } {
  const window = {
    urls: [] as string[],
    closed: false,
    go: (url: string) => void window.urls.push(url),
    isClosed: () => window.closed,
    close: () => void (window.closed = true),
  }
  return window
}

/** Pays on the sandbox's page as a browser would. */
async function pay(url: string, number = '4242 4242 4242 4242'): Promise<void> {
  const form = new URLSearchParams({ method: 'card', number, expiry: '12/39', cvc: '123' })
  const { status } = await fetch(`${url}/pay`, { method: 'POST', body: form })
  expect(status).toBe(200)
}

async function begun(
  amount = '100',
): Promise<Awaited<ReturnType<typeof buyer>> & { window: ReturnType<typeof fakeWindow> }> {
  const world = await buyer()
  await openBuy(world.latchkey)
  setPaymentAmount(world.latchkey, amount)
  const window = fakeWindow()
  await startBuy(world.latchkey, { openWindow: () => window })
  return { ...world, window }
}

test('says who sells what for which money on the network [R9.4.6]', async () => {
  const { latchkey, state } = await buyer()
  await openBuy(latchkey)
  expect(state()).toMatchObject({
    status: 'open',
    provider: 'sandbox',
    providers: [{ id: 'sandbox', name: 'Sandbox', fee: { min: 1, max: 2 } }],
    payment: 'USD',
    payments: [
      {
        id: 'USD',
        limits: [
          { method: 'card', min: '10.00', max: '7500.00' },
          { method: 'ach_bank_account', min: '10.00', max: '25000.00' },
        ],
      },
      { id: 'EUR' },
    ],
    purchase: 'ETH',
    purchases: [{ id: 'ETH' }, { id: 'LUSD' }],
  })
})

test('a price is asked for once typing rests, and is exact', async () => {
  const { latchkey, clock, state } = await buyer()
  await openBuy(latchkey)
  for (const amount of ['1', '10', '100']) setPaymentAmount(latchkey, amount)
  expect(state().quote).toEqual({ status: 'waiting' })
  clock.advance(500)
  await expect
    .poll(() => state().quote)
    .toMatchObject({
      status: 'ready',
      quote: {
        total: { amount: '100.00', currency: 'USD' },
        purchase: { amount: '0.0392', currency: 'ETH' },
        providerFee: { amount: '2.00', currency: 'USD' },
        method: 'card',
      },
    })
  expect(way.asked.filter((path) => path === '/v1/onramp/quote')).toHaveLength(1)
})

test('an answer to an earlier question never takes the place of a later one', async () => {
  const { latchkey, state } = await buyer()
  await openBuy(latchkey)
  setPaymentAmount(latchkey, '100')
  way.held = /quote/
  const early = getBuyQuote(latchkey)
  await expect.poll(() => way.asked.at(-1)).toBe('/v1/onramp/quote')
  way.held = undefined
  choosePaymentCurrency(latchkey, 'EUR')
  await getBuyQuote(latchkey)
  way.release()
  await early
  expect(state().quote).toMatchObject({ status: 'ready', quote: { total: { currency: 'EUR' } } })
})

test('what nobody has a price of fails, and no price is made up', async () => {
  const { latchkey, state } = await buyer()
  await openBuy(latchkey)
  setPaymentAmount(latchkey, '100')
  choosePurchaseCurrency(latchkey, 'LUSD')
  choosePaymentCurrency(latchkey, 'EUR')
  await getBuyQuote(latchkey)
  expect(state().quote).toMatchObject({ status: 'failed', error: { code: 'buy/no-quote' } })
  way.down = true
  await getBuyQuote(latchkey)
  expect(state().quote).toMatchObject({ status: 'failed', error: { code: 'http/unreachable' } })
})

test.each([
  ['', { kind: 'amount-missing' }],
  ['0', { kind: 'amount-missing' }],
  ['1e3', { kind: 'amount-invalid' }],
  ['1,000', { kind: 'amount-invalid' }],
  ['10.001', { kind: 'amount-invalid' }],
  ['9.99', { kind: 'amount-low', min: '10.00', currency: 'USD' }],
  ['25000.01', { kind: 'amount-high', max: '25000.00', currency: 'USD' }],
])('%j cannot be paid, and nothing is asked', async (amount, problem) => {
  const { latchkey, clock, state } = await buyer()
  await openBuy(latchkey)
  way.asked.length = 0
  setPaymentAmount(latchkey, amount)
  clock.advance(1_000)
  await startBuy(latchkey, { openWindow: fakeWindow })
  expect(buyProblem(state())).toEqual(problem)
  expect(state()).toMatchObject({ quote: { status: 'none' }, order: { status: 'none' } })
  expect(way.asked).toEqual([])
})

test('more than a card may pay is asked for by bank account', async () => {
  const { latchkey, state } = await buyer()
  await openBuy(latchkey)
  setPaymentAmount(latchkey, '7500.01')
  await getBuyQuote(latchkey)
  expect(state().quote).toMatchObject({ status: 'ready', quote: { method: 'ach_bank_account' } })
})

test('the window opens in the click, and what is paid there arrives and is seen', async () => {
  const { latchkey, clock, state, window, events, account } = await begun()
  expect(window.urls).toHaveLength(1)
  const stop = watchBuy(latchkey)
  await expect.poll(() => way.asked.at(-1)).toBe('/v1/onramp/purchases')
  expect(state().order).toMatchObject({ status: 'begun', window: 'open', standing: 'waiting' })
  await pay(window.urls[0] ?? '')
  clock.advance(4_000)
  await expect
    .poll(() => state().order)
    .toMatchObject({
      standing: 'arrived',
      purchase: { bought: { amount: '0.0392', currency: 'ETH' } },
    })
  expect(events.at(-1)).toMatchObject({ type: 'transaction', from: account, status: 'mined' })
  const count = way.asked.length
  clock.advance(10_000)
  expect(way.asked).toHaveLength(count)
  stop()
  expect(await listPurchases(latchkey, account)).toMatchObject([{ standing: 'arrived', paid: { amount: '100.00' } }])
  buyAgain(latchkey)
  expect(state()).toMatchObject({ order: { status: 'none' }, amount: '100' })
})

test('a card that is declined is seen, and another one may be tried', async () => {
  const { latchkey, clock, state, window } = await begun()
  const stop = watchBuy(latchkey)
  const [url = ''] = window.urls
  await pay(url, '4000 0000 0000 0002')
  clock.advance(4_000)
  await expect.poll(() => state().order).toMatchObject({ standing: 'declined' })
  await pay(url)
  clock.advance(4_000)
  await expect.poll(() => state().order).toMatchObject({ standing: 'arrived' })
  stop()
})

test('fifty clicks make one page', async () => {
  const { latchkey, state } = await buyer()
  await openBuy(latchkey)
  setPaymentAmount(latchkey, '50')
  const opened: BuyWindow[] = []
  const openWindow = (): BuyWindow => {
    const window = fakeWindow()
    opened.push(window)
    return window
  }
  await Promise.all(Array.from({ length: 50 }, () => startBuy(latchkey, { openWindow })))
  expect(opened).toHaveLength(1)
  expect(way.asked.filter((path) => path === '/v1/generators/onrampurl')).toHaveLength(1)
  expect(state().order.status).toBe('begun')
})

test('a window that the browser keeps from opening leaves a link', async () => {
  const { latchkey, state } = await buyer()
  await openBuy(latchkey)
  setPaymentAmount(latchkey, '50')
  await startBuy(latchkey, { openWindow: () => undefined })
  expect(state().order).toMatchObject({ status: 'begun', window: 'blocked', url: expect.stringContaining(server.url) })
})

test('a window that is closed is seen, and looked after at once', async () => {
  const { latchkey, clock, state, window } = await begun()
  const stop = watchBuy(latchkey)
  await pay(window.urls[0] ?? '')
  window.closed = true
  clock.advance(500)
  expect(state().order).toMatchObject({ window: 'closed' })
  await expect.poll(() => state().order).toMatchObject({ standing: 'arrived' })
  stop()
})

test('after three minutes it says so calmly, and can be looked for again', async () => {
  const { latchkey, clock, state, window } = await begun()
  let stop = watchBuy(latchkey)
  await expect.poll(() => state().order).toMatchObject({ purchase: { standing: 'waiting' } })
  clock.advance(180_000)
  await expect.poll(() => state().order).toMatchObject({ overdue: true, standing: 'waiting' })
  expect(clock.waiting()).toBeLessThanOrEqual(1)
  stop()
  await pay(window.urls[0] ?? '')
  stop = watchBuy(latchkey)
  expect(state().order).toMatchObject({ overdue: false })
  await expect.poll(() => state().order).toMatchObject({ standing: 'arrived' })
  stop()
})

test('a look that does not go says so, and the next one mends it', async () => {
  const { latchkey, clock, state } = await begun()
  way.down = true
  const stop = watchBuy(latchkey)
  await expect.poll(() => state().order).toMatchObject({ unreachable: true, standing: 'waiting' })
  way.down = false
  clock.advance(4_000)
  await expect.poll(() => state().order).toMatchObject({ unreachable: false })
  stop()
})

test('a page that cannot be made closes the window, and says that nothing was paid', async () => {
  const { latchkey, state } = await buyer()
  await openBuy(latchkey)
  setPaymentAmount(latchkey, '50')
  way.down = true
  const window = fakeWindow()
  await startBuy(latchkey, { openWindow: () => window })
  expect(window).toMatchObject({ closed: true, urls: [] })
  expect(state().order).toMatchObject({ status: 'failed', error: { code: 'buy/no-page' } })
})

test.each(['javascript:alert(1)', 'http://elsewhere.invalid/', 'data:text/html,hi', 'nothing'])(
  'nobody is sent to %s to pay',
  async (url) => {
    const { latchkey, state } = await buyer()
    await openBuy(latchkey)
    setPaymentAmount(latchkey, '50')
    const { fetch } = globalThis
    globalThis.fetch = async () => Response.json({ url, purchaseId: 'sandbox_AAAAAAAAAAAAAAAAAAAAAA' })
    const window = fakeWindow()
    await startBuy(latchkey, { openWindow: () => window })
    globalThis.fetch = fetch
    expect(window).toMatchObject({ closed: true, urls: [] })
    expect(state().order).toMatchObject({ status: 'failed', error: { code: 'buy/no-page' } })
  },
)

test('a network on which nobody sells says so, and so does a server that is away', async () => {
  const { latchkey, state } = await buyer()
  way.down = true
  await openBuy(latchkey)
  expect(state()).toMatchObject({ status: 'failed', error: { code: 'http/unreachable' } })
  way.down = false
  await openBuy(latchkey)
  expect(state().status).toBe('open')
  const elsewhere = fakeWorld({ connectors: [fakeConnector()], server: server.url, projectId })
  await connect(elsewhere.latchkey, 'fake')
  await openBuy(elsewhere.latchkey)
  expect(buyState(elsewhere.latchkey).getState()).toMatchObject({
    status: 'failed',
    error: { code: 'buy/unsupported' },
  })
})
