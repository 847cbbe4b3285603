import { addresses, onRampKey as key, roles, startChains, type LocalChains } from '@latchkey/devnet'
import { createPublicClient, erc20Abi, http, parseEther, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Chain } from '../../kit/chain/chains.ts'
import { startTestServer } from '../../testing/index.ts'
import { bankCode } from './cards.ts'

const projectId = 'ab'.repeat(16)
const rates = { ETH: { USD: '2500', EUR: '2000' }, LUSD: { USD: '1' } }

type Server = Awaited<ReturnType<typeof startTestServer>>

let world: LocalChains
let server: Server
let chain: Chain

beforeAll(async () => {
  world = await startChains()
  const { network, rpcUrl, tokens } = world.chains[0]
  const { caipNetworkId, name, nativeCurrency } = network
  chain = { caipNetworkId, name, nativeCurrency, rpcUrls: [rpcUrl], tokens }
  server = await startTestServer({ chains: [chain], onRamp: { sandbox: { key, rates } } })
})
afterAll(async () => {
  await server.close()
  await world.close()
})

/** The parts of a response that tests check. */
type QuoteReport = {
  url: string
  purchaseId: string
  paymentCurrencies: unknown
  purchaseCurrencies: ReadonlyArray<{ id: string; networks: unknown }>
  purchases: ReadonlyArray<{ status: string; hash: Hex }>
}

async function sendRequest(
  path: string,
  body?: object,
  from: Server = server,
): Promise<{ status: number; body: QuoteReport }> {
  const response = await fetch(`${from.url}${path}${path.includes('?') ? '&' : '?'}projectId=${projectId}`, {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as QuoteReport }
}

let people = 0
/** An address without other payments. */
function createBuyer(): Hex {
  people += 1
  return `0x${'b0b'.repeat(12)}${people.toString(16).padStart(4, '0')}`
}

async function begin(receiver: Hex, more: object = {}): Promise<{ url: string; purchaseId: string }> {
  const { status, body } = await sendRequest('/v1/generators/onrampurl', {
    destinationWallets: [{ address: receiver, assets: ['ETH'] }],
    partnerUserId: receiver,
    defaultNetwork: 'eip155:31337',
    presetFiatAmount: '100.00',
    paymentCurrency: 'USD',
    ...more,
  })
  expect(status).toBe(200)
  return body
}

const createCardForm = (number: string, more: object = {}): Record<string, string> => ({
  method: 'card',
  number,
  expiry: '12/39',
  cvc: '123',
  ...more,
})
const good = createCardForm('4242 4242 4242 4242')

/** Submits a form like a browser and returns the resulting page. */
async function submit(url: string, form: Record<string, string>, site = 'same-origin') {
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: { 'sec-fetch-site': site },
  })
  return { status: response.status, page: await response.text() }
}

async function purchaseStatus(purchaseId: string): Promise<{ status: string; hash: Hex }> {
  const { body } = await sendRequest(`/v1/onramp/purchases?ids=${purchaseId}`)
  const [purchase] = body.purchases
  if (purchase === undefined) throw new Error('There is no such purchase.')
  return purchase
}

const createReader = () => createPublicClient({ transport: http(chain.rpcUrls[0]) })

test('options lists assets, currencies and limits [R7.1.18] [R9.4.6]', async () => {
  const { body } = await sendRequest('/v1/onramp/options')
  const limits = [
    { id: 'card', min: '10.00', max: '7500.00' },
    { id: 'ach_bank_account', min: '10.00', max: '25000.00' },
  ]
  expect(body.paymentCurrencies).toEqual([
    { id: 'USD', payment_method_limits: limits },
    { id: 'EUR', payment_method_limits: limits },
  ])
  expect(body.purchaseCurrencies.map(({ id }) => id)).toEqual(['ETH', 'LUSD'])
  expect(body.purchaseCurrencies[0]?.networks).toEqual([
    {
      name: 'eip155:31337',
      display_name: 'Latchkey Local',
      chain_id: '31337',
      caip_network_id: 'eip155:31337',
      contract_address: '',
    },
  ])
  const providers = await sendRequest('/v1/onramp/providers')
  expect(providers.body).toMatchObject([
    { serviceProvider: 'sandbox', fee: { min: 1, max: 2 }, chains: ['eip155:31337'] },
  ])
})

test('quote is exact to the cent and rounds the purchase down [R7.1.19]', async () => {
  const request = { purchaseCurrency: { id: 'ETH', more: 1 }, paymentCurrency: { id: 'USD' }, amount: '100.01' }
  const byCard = await sendRequest('/v1/onramp/quote', request)
  expect(byCard.body).toMatchObject({
    paymentTotal: { amount: '100.01', currency: 'USD' },
    paymentSubtotal: { amount: '98.00', currency: 'USD' },
    purchaseAmount: { amount: '0.0392', currency: 'ETH' },
    networkFee: { amount: '0.00', currency: 'USD' },
    providerFee: { amount: '2.01', currency: 'USD' },
  })
  const byBank = await sendRequest('/v1/onramp/quote', { ...request, paymentMethod: 'ach_bank_account' })
  expect(byBank.body).toMatchObject({ providerFee: { amount: '1.01' }, purchaseAmount: { amount: '0.0396' } })
})

test.each([
  ['an amount below the least', { amount: '9.99' }, 400, 'amount'],
  ['an amount above the most', { amount: '7500.01' }, 400, 'amount'],
  ['an amount in scientific notation', { amount: '1e3' }, 400, 'amount'],
  ['a fraction of a cent', { amount: '10.001' }, 400, 'amount'],
  ['a currency that is not taken', { paymentCurrency: 'GBP' }, 400, 'paymentCurrency'],
  ['an asset that is not sold', { purchaseCurrency: 'KEY' }, 400, 'purchaseCurrency'],
  ['a network where it is not', { network: 'base' }, 400, 'network'],
  ['a provider that is not configured', { provider: 'acme' }, 400, 'provider'],
  ['an asset without a price in the currency', { purchaseCurrency: 'LUSD', paymentCurrency: 'EUR' }, 503, 'provider'],
])('quote rejects %s', async (_what, wrong, status, field) => {
  const request = { purchaseCurrency: 'ETH', paymentCurrency: 'USD', amount: '100.00', ...wrong }
  expect(await sendRequest('/v1/onramp/quote', request)).toMatchObject({ status, body: { reasons: [{ field }] } })
})

test('bank transfer has higher limits than card', async () => {
  const request = { purchaseCurrency: 'ETH', paymentCurrency: 'USD', amount: '25000.00' }
  expect((await sendRequest('/v1/onramp/quote', request)).status).toBe(400)
  expect((await sendRequest('/v1/onramp/quote', { ...request, paymentMethod: 'ach_bank_account' })).status).toBe(200)
})

test.each([
  ['nobody', { destinationWallets: [] }, 'destinationWallets'],
  ['an address of something else', { destinationWallets: [{ address: 'alice' }] }, 'destinationWallets'],
  ['a network that is not served', { defaultNetwork: 'eip155:1' }, 'defaultNetwork'],
  ['more than can be paid in any way', { presetFiatAmount: 25_000.01 }, 'presetFiatAmount'],
])('purchase page rejects %s', async (_what, wrong, field) => {
  const body = {
    destinationWallets: [{ address: createBuyer() }],
    partnerUserId: 'x',
    paymentCurrency: 'USD',
    ...wrong,
  }
  const response = await sendRequest('/v1/generators/onrampurl', body)
  expect(response).toMatchObject({ status: 400, body: { reasons: [{ field }] } })
})

test('card payment is delivered on the chain [R7.1.17]', async () => {
  const receiver = createBuyer()
  const { url, purchaseId } = await begin(receiver)
  expect(await purchaseStatus(purchaseId)).toMatchObject({ status: 'waiting', provider: 'sandbox' })
  const { status, page } = await submit(`${url}/pay`, good)
  expect([status, page]).toEqual([200, expect.stringContaining('0.0392 ETH arrived.')])
  expect(await createReader().getBalance({ address: receiver })).toBe(parseEther('0.0392'))
  const response = await purchaseStatus(purchaseId)
  expect(response).toMatchObject({ status: 'arrived', purchaseAmount: { amount: '0.0392', currency: 'ETH' } })
  const receipt = await createReader().getTransactionReceipt({ hash: response.hash })
  expect(receipt.from).toBe(addresses[roles.onRamp].toLowerCase())
})

test('bank payment delivers a token', async () => {
  const receiver = createBuyer()
  const { url } = await begin(receiver, { purchaseCurrency: 'LUSD', presetFiatAmount: 8_000 })
  expect((await submit(`${url}/pay`, good)).status).toBe(422)
  const { page } = await submit(`${url}/pay`, { method: 'ach_bank_account' })
  expect(page).toContain('7920 LUSD arrived.')
  const address = chain.tokens.find(({ symbol }) => symbol === 'LUSD')?.address as Hex
  const held = await createReader().readContract({
    address,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [receiver],
  })
  expect(held).toBe(7_920_000_000n)
})

test.each([
  ['4000 0000 0000 0002', 'Your bank declined the card.'],
  ['4000 0000 0000 9995', 'There is not enough money on this card.'],
  ['4000 0000 0000 0069', 'This card has expired.'],
  ['5555 5555 5555 4444', 'This is not a card of the sandbox.'],
])('card %s is declined with its own message, and another card can be tried', async (number, sentence) => {
  const receiver = createBuyer()
  const { url, purchaseId } = await begin(receiver)
  expect((await submit(`${url}/pay`, createCardForm(number))).page).toContain(sentence)
  expect(await purchaseStatus(purchaseId)).toMatchObject({ status: 'declined' })
  expect(await createReader().getBalance({ address: receiver })).toBe(0n)
  expect((await submit(`${url}/pay`, good)).page).toContain('arrived')
})

test.each([
  ['number', createCardForm('4242 4242 4242 4241')],
  ['expiry', createCardForm('4242424242424242', { expiry: '01/20' })],
  ['expiry', createCardForm('4242424242424242', { expiry: '13/39' })],
  ['cvc', createCardForm('4242424242424242', { cvc: '12' })],
])('invalid %s shows an error at its field, and nothing is paid', async (field, form) => {
  const { url, purchaseId } = await begin(createBuyer())
  const { status, page } = await submit(`${url}/pay`, form)
  expect(status).toBe(422)
  expect(page).toContain(`name="${field}" inputmode="numeric"`)
  expect(page).toContain(`aria-describedby="${field}-wrong"`)
  expect(page).not.toContain(form['number'])
  expect((await purchaseStatus(purchaseId)).status).toBe('waiting')
})

test('3-D Secure card pays only with the code', async () => {
  const receiver = createBuyer()
  const { url, purchaseId } = await begin(receiver)
  const challenged = createCardForm('4000 0000 0000 3220')
  expect((await submit(`${url}/pay`, challenged)).page).toContain('Code from your bank')
  for (const _ of [1, 2]) expect((await submit(`${url}/confirm`, { code: '0' })).page).toContain('The code was wrong.')
  expect((await submit(`${url}/confirm`, { code: '0' })).page).toContain('Pay with')
  expect(await purchaseStatus(purchaseId)).toMatchObject({ status: 'declined' })
  await submit(`${url}/pay`, challenged)
  expect(await createReader().getBalance({ address: receiver })).toBe(0n)
  expect((await submit(`${url}/confirm`, { code: bankCode })).page).toContain('arrived')
  expect(await createReader().getBalance({ address: receiver })).toBe(parseEther('0.0392'))
})

test('fifty concurrent submissions pay once and deliver once', async () => {
  const receiver = createBuyer()
  const { url, purchaseId } = await begin(receiver)
  await Promise.all(Array.from({ length: 50 }, () => submit(`${url}/pay`, good)))
  await expect.poll(async () => (await purchaseStatus(purchaseId)).status).toBe('arrived')
  await submit(`${url}/pay`, good)
  await submit(`${url}/confirm`, { code: bankCode })
  expect(await createReader().getBalance({ address: receiver })).toBe(parseEther('0.0392'))
})

test('concurrent purchases are all delivered, each in its own transaction', async () => {
  const begun = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const receiver = createBuyer()
      return { receiver, ...(await begin(receiver)) }
    }),
  )
  await Promise.all(begun.map(({ url }) => submit(`${url}/pay`, good)))
  const hashes = new Set<string>()
  for (const { receiver, purchaseId } of begun) {
    await expect.poll(async () => (await purchaseStatus(purchaseId)).status).toBe('arrived')
    expect(await createReader().getBalance({ address: receiver })).toBe(parseEther('0.0392'))
    hashes.add((await purchaseStatus(purchaseId)).hash)
  }
  expect(hashes.size).toBe(12)
})

test(
  'purchase paid while no node responds is delivered once later, by another process',
  { tags: 'faults' },
  async () => {
    const receiver = createBuyer()
    const cutOff = await startTestServer({
      chains: [{ ...chain, rpcUrls: ['http://127.0.0.1:1'] }],
      onRamp: { sandbox: { key, rates } },
    })
    const made = await sendRequest(
      '/v1/generators/onrampurl',
      {
        destinationWallets: [{ address: receiver }],
        partnerUserId: 'x',
        purchaseCurrency: 'ETH',
        presetFiatAmount: 50,
      },
      cutOff,
    )
    expect((await submit(`${made.body.url}/pay`, good)).page).toContain('The coins are on their way.')
    const paths = { databaseUrl: cutOff.databaseUrl, chains: [chain], onRamp: { sandbox: { key, rates } } }
    const others = await Promise.all([startTestServer(paths), startTestServer(paths)])
    await expect.poll(() => createReader().getBalance({ address: receiver })).toBe(parseEther('0.0196'))
    for (const other of others) {
      await expect
        .poll(
          async () => (await sendRequest(`/v1/onramp/purchases?ids=${made.body.purchaseId}`, undefined, other)).body,
        )
        .toMatchObject({ purchases: [{ status: 'arrived' }] })
    }
    expect(await createReader().getBalance({ address: receiver })).toBe(parseEther('0.0196'))
    for (const each of [...others, cutOff]) await each.close()
  },
)

test("purchase above the treasury's balance is refunded", { tags: 'faults' }, async () => {
  const poor = '0x1111111111111111111111111111111111111111111111111111111111111111'
  const other = await startTestServer({ chains: [chain], onRamp: { sandbox: { key: poor, rates } } })
  const wallets = { destinationWallets: [{ address: createBuyer() }], partnerUserId: 'x', purchaseCurrency: 'ETH' }
  const { body } = await sendRequest('/v1/generators/onrampurl', wallets, other)
  expect((await submit(`${body.url}/pay`, good)).page).toContain('the payment goes back')
  const response = await sendRequest(`/v1/onramp/purchases?ids=${body.purchaseId}`, undefined, other)
  expect(response.body).toMatchObject({ purchases: [{ status: 'failed' }] })
  await other.close()
})

test('cancelled purchase accepts no payment', async () => {
  const { url, purchaseId } = await begin(createBuyer())
  expect((await submit(`${url}/cancel`, {})).page).toContain('Nothing was paid.')
  await submit(`${url}/pay`, good)
  expect(await purchaseStatus(purchaseId)).toMatchObject({ status: 'failed' })
})

test('form of another site is rejected, and the page allows no scripts or frames', async () => {
  const { url, purchaseId } = await begin(createBuyer())
  expect((await submit(`${url}/pay`, good, 'cross-site')).status).toBe(403)
  expect((await purchaseStatus(purchaseId)).status).toBe('waiting')
  const { headers } = await fetch(url)
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  )
  expect(headers.get('cache-control')).toBe('no-store')
})

test('purchase page requires its secret', async () => {
  const { url, purchaseId } = await begin(createBuyer())
  const wrong = url.replace(/.{22}$/, 'A'.repeat(22))
  expect((await fetch(wrong)).status).toBe(404)
  expect((await submit(`${wrong}/pay`, good)).status).toBe(404)
  expect((await fetch(url.replace(/.{22}$/, purchaseId.slice('sandbox_'.length)))).status).toBe(404)
  const { body } = await sendRequest(`/v1/onramp/purchases?ids=${purchaseId}x,,sandbox_%00,${'A'.repeat(30)}`)
  expect(body).toEqual({ purchases: [] })
})

test('purchases are off without a provider, and the sandbox rejects real chains', { tags: 'faults' }, async () => {
  const bare = await startTestServer({ chains: [chain] })
  expect((await sendRequest('/v1/onramp/providers', undefined, bare)).body).toEqual([])
  const request = { purchaseCurrency: 'ETH', paymentCurrency: 'USD', amount: '100.00' }
  expect((await sendRequest('/v1/onramp/quote', request, bare)).status).toBe(503)
  await bare.close()
  const real = await startTestServer({
    chains: [{ ...chain, caipNetworkId: 'eip155:1' }],
    onRamp: { sandbox: { key, rates } },
  })
  expect((await sendRequest('/v1/onramp/options', undefined, real)).body).toEqual({
    paymentCurrencies: [],
    purchaseCurrencies: [],
  })
  await real.close()
})
