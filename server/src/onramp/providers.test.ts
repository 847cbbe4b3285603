import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createCoinbase } from './coinbase/coinbase.ts'
import { createMeld } from './meld/meld.ts'
import type { OnRampProvider } from './onRampProvider.ts'

// Responses written from the documentation of the providers, not recorded from the live services.

type ReceivedRequest = { method: string; path: string; headers: IncomingHttpHeaders; body: unknown }
type Replies = Readonly<Record<string, { status?: number; body: unknown }>>

const closers: Array<() => void> = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** A service with a configured response per method and path. */
async function startProvider(responses: Replies): Promise<{ url: string; requests: readonly ReceivedRequest[] }> {
  const requests: ReceivedRequest[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const { method = '', url = '', headers } = request
    requests.push({ method, path: url, headers, body: text === '' ? undefined : JSON.parse(text) })
    const { status = 200, body } = responses[`${method} ${url.split('?')[0]}`] ?? { status: 404, body: 'nothing' }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

const now = Date.UTC(2026, 0, 1)
const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const jwk = privateKey.export({ format: 'jwk' })
const keySecret = Buffer.concat([
  Buffer.from(jwk.d ?? '', 'base64url'),
  Buffer.from(jwk.x ?? '', 'base64url'),
]).toString('base64')

const buyOptions = {
  paymentCurrencies: [
    {
      id: 'USD',
      limits: [
        { id: 'CARD', min: '2', max: '500' },
        { id: 'APPLE_PAY', min: '2', max: '500' },
      ],
    },
    { id: 'GBP', limits: [{ id: 'FIAT_WALLET', min: '2', max: '500' }] },
  ],
  purchaseCurrencies: [
    {
      id: 'd85dce9b-5b73-5c3c-8978-522ce1d1c1b4',
      name: 'Ethereum',
      symbol: 'ETH',
      iconUrl: 'https://icons.invalid/eth',
      networks: [
        { name: 'base', displayName: 'Base', chainId: '8453', contractAddress: '' },
        { name: 'unichain', displayName: 'Unichain', chainId: '130', contractAddress: '' },
      ],
    },
    { id: 'x', name: 'Elsewhere', symbol: 'ELSE', networks: [{ name: 'e', displayName: 'E', chainId: '0' }] },
  ],
}

const buyQuote = {
  paymentTotal: { value: '100.00', currency: 'USD' },
  paymentSubtotal: { value: '97.51', currency: 'USD' },
  purchaseAmount: { value: '0.0311', currency: 'ETH' },
  coinbaseFee: { value: '2.44', currency: 'USD' },
  networkFee: { value: '0.05', currency: 'USD' },
  quoteId: '41b78f8b',
}

async function purchaseOf({ options }: OnRampProvider, symbol: string) {
  const { purchaseCurrencies } = await options()
  const purchase = purchaseCurrencies.find((each) => each.symbol === symbol)
  const network = purchase?.networks[0]
  if (purchase === undefined || network === undefined) throw new Error(`${symbol} is not sold.`)
  return { purchase, network }
}

test('Coinbase requests each carry their own token, and responses are parsed', async () => {
  const { url, requests } = await startProvider({
    'GET /onramp/v1/buy/options': { body: buyOptions },
    'POST /onramp/v1/buy/quote': { body: buyQuote },
    'POST /onramp/v1/token': { body: { token: 'once', channelId: '' } },
  })
  const coinbase = createCoinbase({ keyId: 'k1', keySecret, country: 'US', url }, { now: () => now })
  const { paymentCurrencies, purchaseCurrencies } = await coinbase.options()
  expect(paymentCurrencies[0]).toEqual({
    id: 'USD',
    payment_method_limits: [{ id: 'card', min: '2', max: '500' }],
  })
  expect(purchaseCurrencies.map(({ symbol, networks }) => [symbol, networks.length])).toEqual([['ETH', 1]])

  const what = await purchaseOf(coinbase, 'ETH')
  const quote = await coinbase.quote({ ...what, currency: 'USD', cents: 10_000n, method: 'card' })
  expect(quote).toMatchObject({ paymentTotal: { amount: '100.00' }, providerFee: { amount: '2.44' } })
  const page = await coinbase.page({
    ...what,
    address,
    currency: 'USD',
    cents: 10_000n,
    method: 'card',
    clientAddress: '192.0.2.1',
  })
  const { origin, searchParams } = new URL(page.url)
  expect([origin, searchParams.get('sessionToken'), searchParams.get('partnerUserRef')]).toEqual([
    'https://pay.coinbase.com',
    'once',
    page.purchaseId,
  ])
  expect(page.url).not.toContain(address)
  expect(requests.map(({ body }) => body)).toMatchObject([
    undefined,
    { purchaseNetwork: 'base', paymentAmount: '100.00', paymentMethod: 'CARD', country: 'US' },
    { addresses: [{ address, blockchains: ['base'] }], clientIp: '192.0.2.1' },
  ])

  const [, token = ''] = requests[1]?.headers.authorization?.split(' ') ?? []
  const [header = '', payload = '', signature = ''] = token.split('.')
  const key = createPublicKey(publicKey.export({ type: 'spki', format: 'pem' }))
  expect(verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))).toBe(true)
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
    sub: 'k1',
    exp: now / 1_000 + 120,
    uris: [`POST ${new URL(url).host}/onramp/v1/buy/quote`],
  })
})

test('Coinbase purchase is looked up by its own id', async () => {
  const transaction = {
    status: 'ONRAMP_TRANSACTION_STATUS_SUCCESS',
    createdAt: '2026-01-01T00:00:00Z',
    txHash: `0x${'ab'.repeat(32)}`,
    purchaseAmount: { value: '0.0311', currency: 'ETH' },
  }
  const { url } = await startProvider({
    'GET /onramp/v1/buy/user/coinbase_a/transactions': { body: { transactions: [transaction], nextPageKey: '' } },
    'GET /onramp/v1/buy/user/coinbase_b/transactions': { body: { transactions: [] } },
  })
  const coinbase = createCoinbase({ keyId: 'k1', keySecret, country: 'US', url }, { now: () => now })
  expect(await coinbase.purchase('coinbase_a')).toMatchObject({ status: 'arrived', hash: transaction.txHash })
  expect(await coinbase.purchase('coinbase_b')).toBeUndefined()
})

const meldQuote = {
  transactionType: 'CRYPTO_PURCHASE',
  sourceAmount: 100,
  sourceAmountWithoutFees: 96.5,
  destinationAmount: 0.031,
  totalFee: 3.5,
  networkFee: 0.5,
  serviceProvider: 'BANXA',
}

test('Meld quote is the best of all offers', async () => {
  const better = { ...meldQuote, destinationAmount: 0.0312, serviceProvider: 'TRANSAK' }
  const { url, requests } = await startProvider({
    'POST /payments/crypto/quote': { body: { quotes: [meldQuote, better] } },
    'POST /crypto/session/widget': { body: { id: 's', widgetUrl: 'https://meld.invalid?token=once', token: 'once' } },
  })
  const meld = createMeld({ key: 'the key', country: 'US', url })
  const what = await purchaseOf(meld, 'ETH')
  expect(await meld.quote({ ...what, currency: 'USD', cents: 10_000n, method: 'card' })).toMatchObject({
    purchaseAmount: { amount: '0.0312', currency: 'ETH' },
    providerFee: { amount: '3.00', currency: 'USD' },
    networkFee: { amount: '0.50', currency: 'USD' },
  })
  const page = await meld.page({
    ...what,
    address,
    currency: 'USD',
    cents: 10_000n,
    method: 'ach_bank_account',
    clientAddress: '',
  })
  expect(page.url).toBe('https://meld.invalid?token=once')
  expect(requests.at(-1)).toMatchObject({
    headers: { authorization: 'BASIC the key' },
    body: {
      sessionType: 'BUY',
      externalSessionId: page.purchaseId,
      sessionData: {
        serviceProvider: 'TRANSAK',
        destinationCurrencyCode: 'ETH',
        walletAddress: address,
        paymentMethodType: 'ACH',
      },
    },
  })
  const quoted = requests.filter(({ body }) => Object(body).paymentMethodType !== undefined)
  expect(quoted.map(({ body }) => Object(body).paymentMethodType)).toEqual(['CREDIT_DEBIT_CARD', 'ACH'])
  expect((await meld.options()).purchaseCurrencies.flatMap(({ networks }) => networks)).toContainEqual(
    expect.objectContaining({ caip_network_id: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }),
  )
})

test.each([
  ['SETTLED', 'arrived'],
  ['SETTLING', 'paid'],
  ['DECLINED', 'declined'],
  ['REFUNDED', 'failed'],
  ['PENDING_CREATED', 'waiting'],
])('Meld status %s becomes %s', async (status, expected) => {
  const { url } = await startProvider({
    'GET /payments/transactions': {
      body: { transactions: [{ status, externalSessionId: 'meld_a', createdAt: '2026-01-01T00:00:00Z' }] },
    },
  })
  expect(await createMeld({ key: 'k', country: 'US', url }).purchase('meld_a')).toMatchObject({ status: expected })
})

test.each([
  ['refuses', { status: 401, body: { message: 'the key is wrong' } }],
  ['sends an unexpected response', { body: { hello: 'world' } }],
  ['has no offer', { body: { quotes: [] } }],
])("quote fails without the provider's message if the provider %s", async (_what, result) => {
  const { url } = await startProvider({ 'POST /payments/crypto/quote': result })
  const meld = createMeld({ key: 'the key', country: 'US', url })
  const what = await purchaseOf(meld, 'ETH')
  const quote = meld.quote({ ...what, currency: 'USD', cents: 10_000n, method: 'card' })
  await expect(quote).rejects.toMatchObject({ status: 503, field: 'provider' })
  await expect(quote).rejects.not.toThrow(/key|hello/)
})
