import type { ChainId } from '@latchkey/protocol'
import { onTestFinished } from 'vitest'

export type FakeOnRamp = {
  readonly url: string
  readonly chainId: ChainId
  /** The requests so far: method and path. */
  readonly requests: string[]
  /** The status of every purchase. */
  status: 'waiting' | 'declined' | 'paid' | 'arrived' | 'failed'
  /** True if there is no quote. */
  unpriced: boolean
  /** True if purchases cannot start. */
  pageless: boolean
  /** True if the server does not respond. */
  down: boolean
}

const limits = [
  { id: 'card', min: '10.00', max: '7500.00' },
  { id: 'ach_bank_account', min: '10.00', max: '25000.00' },
]

/** Replaces a server that sells coins on a chain, until the test ends. */
export function fakeOnRamp(chainId: ChainId): FakeOnRamp {
  const server: FakeOnRamp = {
    url: 'https://onramp.invalid',
    chainId,
    requests: [],
    status: 'waiting',
    unpriced: false,
    pageless: false,
    down: false,
  }
  const { fetch } = globalThis
  onTestFinished(() => void (globalThis.fetch = fetch))
  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.origin !== server.url) return fetch(input, init)
    server.requests.push(`${init?.method ?? 'GET'} ${url.pathname}`)
    if (server.down) throw new TypeError('Connection refused.')
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
    return respond(server, url, body)
  }
  return server
}

function respond(server: FakeOnRamp, { pathname, searchParams }: URL, body: unknown): Response {
  switch (pathname) {
    case '/v1/onramp/providers':
      return Response.json(
        ['Sandbox', 'Acme'].map((name) => ({
          serviceProvider: name.toLowerCase(),
          name,
          fee: { min: 1, max: 2 },
          chains: [server.chainId],
        })),
      )
    case '/v1/onramp/options':
      return Response.json({
        paymentCurrencies: ['USD', 'EUR'].map((id) => ({ id, payment_method_limits: limits })),
        purchaseCurrencies: [
          { id: 'ETH', name: 'Ether', symbol: 'ETH', networks: [networkOf(server)] },
          { id: 'USDC', name: 'USD Coin', symbol: 'USDC', networks: [networkOf(server)] },
        ],
      })
    case '/v1/onramp/quote':
      return server.unpriced ? createRefusal() : Response.json(priceOf(body))
    case '/v1/generators/onrampurl':
      return server.pageless
        ? createRefusal()
        : Response.json({ url: `${server.url}/pay`, purchaseId: 'sandbox_AAAAAAAAAAAAAAAAAAAAAA' })
    case '/v1/onramp/purchases':
      return Response.json({ purchases: (searchParams.get('ids') ?? '').split(',').map((id) => purchase(server, id)) })
    default:
      return Response.json({})
  }
}

function priceOf(body: unknown): object {
  const { provider, amount, paymentCurrency, purchaseCurrency } = Object(body) as {
    provider: string
    amount: string
    paymentCurrency: { id: string }
    purchaseCurrency: { id: string }
  }
  const money = (text: string): object => ({ amount: text, currency: paymentCurrency.id })
  return {
    paymentTotal: money(amount),
    paymentSubtotal: money(amount),
    purchaseAmount: { amount: provider === 'acme' ? '0.0384' : '0.039200001999', currency: purchaseCurrency.id },
    networkFee: money('0.00'),
    providerFee: money('2.00'),
    quoteId: 'q',
  }
}

function networkOf({ chainId }: FakeOnRamp): object {
  return { name: chainId, display_name: chainId, chain_id: chainId, caip_network_id: chainId, contract_address: '' }
}

function purchase({ status, chainId }: FakeOnRamp, id: string): object {
  return {
    id,
    provider: 'sandbox',
    status,
    createdAt: '2025-01-01T00:00:00.000Z',
    paymentTotal: { amount: '100.00', currency: 'USD' },
    ...(status === 'arrived' && {
      purchaseAmount: { amount: '0.0392', currency: 'ETH' },
      hash: `0x${'ab'.repeat(32)}`,
      caipNetworkId: chainId,
    }),
  }
}

function createRefusal(): Response {
  return Response.json({ status: 'FAILED', reasons: [{ field: 'provider', description: 'no' }] }, { status: 503 })
}
