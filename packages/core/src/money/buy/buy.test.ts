import { onRampKey, startChains, type LocalChains } from '@latchkey/devnet'
import type { AccountId } from '@latchkey/protocol'
import { startTestServer } from '@latchkey/server/testing'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { connect } from '../../connection/connect.ts'
import { disconnect } from '../../connection/disconnect.ts'
import {
  fakeAdapter,
  fakeConnector,
  fakeNetwork,
  fakeWorld,
  flushTasks,
  type FakeStorage,
  type FakeWorld,
} from '../../testing/fakes.ts'
import {
  buyAgain,
  buyProblem,
  buyState,
  choosePaymentCurrency,
  choosePaymentMethod,
  choosePurchaseCurrency,
  getBuyQuote,
  listPurchases,
  openBuy,
  setPaymentAmount,
  startBuy,
  trackPurchases,
  watchBuy,
  type BuyState,
  type BuyWindow,
  type Purchase,
} from './index.ts'
import type { StartedPurchase } from './state.ts'

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

/** Faults that a test adds between the client and the server. */
type ServerFaults = { down: boolean; held: RegExp | undefined; paths: string[]; release(): void }
let faults: ServerFaults

beforeEach(() => {
  const { fetch } = globalThis
  onTestFinished(() => void (globalThis.fetch = fetch))
  let release = (): void => {}
  const gate = new Promise<void>((resolve) => (release = resolve))
  faults = { down: false, held: undefined, paths: [], release }
  globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    if (!pathname.startsWith('/v1/')) return fetch(input, init)
    faults.paths.push(pathname)
    if (faults.down) throw new TypeError('The server is down.')
    const response = await fetch(input, init)
    if (faults.held?.test(pathname) === true) await gate
    return response
  }
})

let buyerCount = 0

/** A user without coins whose modal shows the purchase form. */
async function createBuyer(): Promise<FakeWorld & { account: AccountId; state(): BuyState }> {
  buyerCount += 1
  const account: AccountId = `eip155:31337:0x${'c0de'.repeat(9)}${buyerCount.toString(16).padStart(4, '0')}`
  const world = fakeWorld({
    adapters: [fakeAdapter({ networks: [fakeNetwork({ id: 31337 }), fakeNetwork({ id: 1 })] })],
    connectors: [fakeConnector({ accounts: [account] })],
    server: server.url,
    projectId,
  })
  await connect(world.latchkey, 'fake')
  return { ...world, account, state: () => buyState(world.latchkey).getState() }
}

/** A window that records the URLs it opened. */
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

async function startPurchase(
  amount = '100',
): Promise<Awaited<ReturnType<typeof createBuyer>> & { window: ReturnType<typeof fakeWindow> }> {
  const world = await createBuyer()
  await openBuy(world.latchkey)
  setPaymentAmount(world.latchkey, amount)
  const window = fakeWindow()
  await startBuy(world.latchkey, { openWindow: () => window })
  return { ...world, window }
}

/** The page after a reload, with a connected account. */
async function reloadAs(storage: FakeStorage, account: AccountId) {
  const world = fakeWorld({
    adapters: [fakeAdapter({ networks: [fakeNetwork({ id: 31337 }), fakeNetwork({ id: 1 })] })],
    connectors: [fakeConnector({ accounts: [account] })],
    server: server.url,
    projectId,
    storage: storage.otherTab(),
  })
  const outcomes: unknown[] = []
  // As in a page, the connection is restored after the tracking began.
  const onOutcome = (started: StartedPurchase, { status }: Purchase): void =>
    void outcomes.push([started.account, status])
  onTestFinished(trackPurchases(world.latchkey, { onOutcome }))
  await connect(world.latchkey, 'fake')
  return { ...world, outcomes }
}

test('openBuy loads the providers and currencies of the network [R9.4.6]', async () => {
  const { latchkey, state } = await createBuyer()
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

test('a quote is requested after the last keystroke, and is exact', async () => {
  const { latchkey, clock, state } = await createBuyer()
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
  expect(faults.paths.filter((path) => path === '/v1/onramp/quote')).toHaveLength(1)
})

test('a response to an earlier request never replaces a later one', async () => {
  const { latchkey, state } = await createBuyer()
  await openBuy(latchkey)
  setPaymentAmount(latchkey, '100')
  faults.held = /quote/
  const early = getBuyQuote(latchkey)
  await expect.poll(() => faults.paths.at(-1)).toBe('/v1/onramp/quote')
  faults.held = undefined
  choosePaymentCurrency(latchkey, 'EUR')
  await getBuyQuote(latchkey)
  faults.release()
  await early
  expect(state().quote).toMatchObject({ status: 'ready', quote: { total: { currency: 'EUR' } } })
})

test('a quote fails without a price, and no price is estimated', async () => {
  const { latchkey, state } = await createBuyer()
  await openBuy(latchkey)
  setPaymentAmount(latchkey, '100')
  choosePurchaseCurrency(latchkey, 'LUSD')
  choosePaymentCurrency(latchkey, 'EUR')
  await getBuyQuote(latchkey)
  expect(state().quote).toMatchObject({ status: 'failed', error: { code: 'buy/no-quote' } })
  faults.down = true
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
])('the amount %j is rejected without a request', async (amount, problem) => {
  const { latchkey, clock, state } = await createBuyer()
  await openBuy(latchkey)
  faults.paths.length = 0
  setPaymentAmount(latchkey, amount)
  clock.advance(1_000)
  await startBuy(latchkey, { openWindow: fakeWindow })
  expect(buyProblem(state())).toEqual(problem)
  expect(state()).toMatchObject({ quote: { status: 'none' }, order: { status: 'none' } })
  expect(faults.paths).toEqual([])
})

test('an amount above the card limit is requested by bank transfer', async () => {
  const { latchkey, state } = await createBuyer()
  await openBuy(latchkey)
  setPaymentAmount(latchkey, '7500.01')
  await getBuyQuote(latchkey)
  expect(state().quote).toMatchObject({ status: 'ready', quote: { method: 'ach_bank_account' } })
})

test('the chosen payment method is quoted and has its own limits', async () => {
  const { latchkey, state } = await createBuyer()
  await openBuy(latchkey)
  setPaymentAmount(latchkey, '100')
  choosePaymentMethod(latchkey, 'ach_bank_account')
  expect(state().quote).toEqual({ status: 'waiting' })
  await getBuyQuote(latchkey)
  const providerFee = { amount: '1.00', currency: 'USD' }
  expect(state().quote).toMatchObject({ status: 'ready', quote: { method: 'ach_bank_account', providerFee } })
  choosePaymentMethod(latchkey, 'card')
  setPaymentAmount(latchkey, '7500.01')
  expect(buyProblem(state())).toEqual({ kind: 'amount-high', max: '7500.00', currency: 'USD' })
  expect(state().quote).toEqual({ status: 'none' })
})

test('the window opens during the click, and the payment arrives', async () => {
  const { latchkey, clock, state, window, events, account } = await startPurchase()
  expect(window.urls).toHaveLength(1)
  const stop = watchBuy(latchkey)
  await expect.poll(() => faults.paths.at(-1)).toBe('/v1/onramp/purchases')
  expect(state().order).toMatchObject({ status: 'begun', window: 'open', purchaseStatus: 'waiting' })
  await pay(window.urls[0] ?? '')
  clock.advance(4_000)
  await expect
    .poll(() => state().order)
    .toMatchObject({
      purchaseStatus: 'arrived',
      purchase: { bought: { amount: '0.0392', currency: 'ETH' } },
    })
  expect(events.at(-1)).toMatchObject({ type: 'transaction', from: account, status: 'mined' })
  const count = faults.paths.length
  clock.advance(10_000)
  expect(faults.paths).toHaveLength(count)
  stop()
  expect(await listPurchases(latchkey, account)).toMatchObject([{ status: 'arrived', paid: { amount: '100.00' } }])
  buyAgain(latchkey)
  expect(state()).toMatchObject({ order: { status: 'none' }, amount: '100' })
})

test('a declined card is reported, and another one can be tried', async () => {
  const { latchkey, clock, state, window } = await startPurchase()
  const stop = watchBuy(latchkey)
  const [url = ''] = window.urls
  await pay(url, '4000 0000 0000 0002')
  clock.advance(4_000)
  await expect.poll(() => state().order).toMatchObject({ purchaseStatus: 'declined' })
  await pay(url)
  clock.advance(4_000)
  await expect.poll(() => state().order).toMatchObject({ purchaseStatus: 'arrived' })
  stop()
})

test('fifty clicks create one page', async () => {
  const { latchkey, state } = await createBuyer()
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
  expect(faults.paths.filter((path) => path === '/v1/generators/onrampurl')).toHaveLength(1)
  expect(state().order.status).toBe('begun')
})

test('a blocked window leaves a link', async () => {
  const { latchkey, state } = await createBuyer()
  await openBuy(latchkey)
  setPaymentAmount(latchkey, '50')
  await startBuy(latchkey, { openWindow: () => undefined })
  expect(state().order).toMatchObject({ status: 'begun', window: 'blocked', url: expect.stringContaining(server.url) })
})

test('a closed window is noticed, and the status is requested at once', async () => {
  const { latchkey, clock, state, window } = await startPurchase()
  const stop = watchBuy(latchkey)
  await pay(window.urls[0] ?? '')
  window.closed = true
  clock.advance(500)
  expect(state().order).toMatchObject({ window: 'closed' })
  await expect.poll(() => state().order).toMatchObject({ purchaseStatus: 'arrived' })
  stop()
})

test('polling ends after three minutes, and can be continued', async () => {
  const { latchkey, clock, state, window } = await startPurchase()
  let stop = watchBuy(latchkey)
  await expect.poll(() => state().order).toMatchObject({ purchase: { status: 'waiting' } })
  clock.advance(180_000)
  await expect.poll(() => state().order).toMatchObject({ overdue: true, purchaseStatus: 'waiting' })
  expect(clock.waiting()).toBeLessThanOrEqual(1)
  stop()
  await pay(window.urls[0] ?? '')
  stop = watchBuy(latchkey)
  expect(state().order).toMatchObject({ overdue: false })
  await expect.poll(() => state().order).toMatchObject({ purchaseStatus: 'arrived' })
  stop()
})

test('a purchase that arrives while no view watches it is reported once, and the balances are refreshed', async () => {
  const { latchkey, clock, state, window, events, account } = await startPurchase()
  const outcomes: unknown[] = []
  const stop = trackPurchases(latchkey, {
    onOutcome: (started, { status }) => outcomes.push([started.account, status]),
  })
  // The user starts another purchase in the meantime.
  buyAgain(latchkey)
  await pay(window.urls[0] ?? '')
  clock.advance(10_000)
  await expect.poll(() => outcomes).toEqual([[account, 'arrived']])
  expect(events.at(-1)).toMatchObject({ type: 'transaction', from: account, status: 'mined' })
  expect(state().order).toEqual({ status: 'none' })
  const count = faults.paths.length
  clock.advance(600_000)
  expect(faults.paths).toHaveLength(count)
  stop()
})

test('a purchase is reported after a reload, to its account only', async () => {
  const { latchkey, window, account, storage } = await startPurchase()
  trackPurchases(latchkey)()
  await pay(window.urls[0] ?? '')
  const countRequests = (): number => faults.paths.filter((path) => path === '/v1/onramp/purchases').length
  const stranger = await reloadAs(storage, `eip155:31337:0x${'dead'.repeat(10)}`)
  stranger.clock.advance(600_000)
  await flushTasks()
  expect(countRequests()).toBe(0)
  const own = await reloadAs(storage, account)
  await expect
    .poll(() => {
      own.clock.advance(10_000)
      return own.outcomes
    })
    .toEqual([[account, 'arrived']])
  const count = countRequests()
  const later = await reloadAs(storage, account)
  later.clock.advance(600_000)
  await flushTasks()
  expect(countRequests()).toBe(count)
})

test.each([
  '{',
  '7',
  '[["x",{}],7,null]',
  '[["sandbox_aaaaaaaaaaaaaaaaaaaaaa",{"account":"a","chainId":"b","since":-1}]]',
])('a storage with %s does not prevent the tracking of purchases', async (text) => {
  const { latchkey, storage, clock, window, account } = await startPurchase()
  storage.setItem('@latchkey/started_purchases', text)
  const outcomes: unknown[] = []
  onTestFinished(trackPurchases(latchkey, { onOutcome: (started) => outcomes.push(started.account) }))
  await pay(window.urls[0] ?? '')
  clock.advance(10_000)
  await expect.poll(() => outcomes).toEqual([account])
})

test('a purchase is still reported after its view stopped asking, and asked for by one of them at a time', async () => {
  const { latchkey, clock, state, window } = await startPurchase()
  const outcomes: unknown[] = []
  const stop = trackPurchases(latchkey, { onOutcome: (_, { status }) => outcomes.push(status) })
  const close = watchBuy(latchkey)
  await expect.poll(() => state().order).toMatchObject({ purchase: { status: 'waiting' } })
  const countRequests = (): number => faults.paths.filter((path) => path === '/v1/onramp/purchases').length
  const count = countRequests()
  clock.advance(10_000)
  await expect.poll(countRequests).toBe(count + 1)
  close()
  await pay(window.urls[0] ?? '')
  clock.advance(10_000)
  await expect.poll(() => outcomes).toEqual(['arrived'])
  expect(state().order).toMatchObject({ purchaseStatus: 'arrived' })
  stop()
})

test('a failed status request sets unreachable until the next one succeeds', async () => {
  const { latchkey, clock, state } = await startPurchase()
  faults.down = true
  const stop = watchBuy(latchkey)
  await expect.poll(() => state().order).toMatchObject({ unreachable: true, purchaseStatus: 'waiting' })
  faults.down = false
  clock.advance(4_000)
  await expect.poll(() => state().order).toMatchObject({ unreachable: false })
  stop()
})

test('a failure to create the page closes the window, and says that nothing was paid', async () => {
  const { latchkey, state } = await createBuyer()
  await openBuy(latchkey)
  setPaymentAmount(latchkey, '50')
  faults.down = true
  const window = fakeWindow()
  await startBuy(latchkey, { openWindow: () => window })
  expect(window).toMatchObject({ closed: true, urls: [] })
  expect(state().order).toMatchObject({ status: 'failed', error: { code: 'buy/no-page' } })
})

test('a purchase does not continue once its account is not the selected one', async () => {
  const { latchkey, state } = await createBuyer()
  await openBuy(latchkey)
  setPaymentAmount(latchkey, '50')
  faults.held = /onrampurl/
  const window = fakeWindow()
  const starting = startBuy(latchkey, { openWindow: () => window })
  await disconnect(latchkey)
  faults.release()
  await starting
  expect(window).toMatchObject({ closed: true, urls: [] })
  expect(state()).toMatchObject({ status: 'closed', order: { status: 'none' } })
})

test('no purchase starts for an account that is not the selected one', async () => {
  const { latchkey } = await createBuyer()
  await openBuy(latchkey)
  setPaymentAmount(latchkey, '50')
  await disconnect(latchkey)
  faults.paths.length = 0
  let windows = 0
  await startBuy(latchkey, { openWindow: () => ((windows += 1), fakeWindow()) })
  expect([windows, faults.paths]).toEqual([0, []])
})

test.each(['javascript:alert(1)', 'http://elsewhere.invalid/', 'data:text/html,hi', 'nothing'])(
  'the page %s is never opened',
  async (url) => {
    const { latchkey, state } = await createBuyer()
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

test('a network without providers and an unreachable server are reported', async () => {
  const { latchkey, state } = await createBuyer()
  faults.down = true
  await openBuy(latchkey)
  expect(state()).toMatchObject({ status: 'failed', error: { code: 'http/unreachable' } })
  faults.down = false
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
