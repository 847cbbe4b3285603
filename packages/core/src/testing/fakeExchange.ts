import type { ConvertQuote } from '@latchkey/protocol'

/** A response or a failure. */
export type ExchangeResponse = { status?: number; body: unknown }

/** A request to the exchange. */
export type ExchangeRequest = {
  path: string
  query: Readonly<Record<string, string>>
  body: Readonly<Record<string, unknown>>
}

/** A fake exchange server that a test controls. */
export type FakeExchange = {
  readonly native: string
  readonly dollar: string
  readonly key: string
  /** The plain address of the swap contract. */
  readonly contract: string
  /** The price of a token in dollars. */
  rate: bigint
  allowance: bigint
  /** Dollars that the account holds. */
  dollars: string
  quotesOutput: boolean
  /** Replaces responses, by the end of their path. */
  readonly instead: Record<
    string,
    ((request: ExchangeRequest) => ExchangeResponse | Promise<ExchangeResponse>) | undefined
  >
  /** Returns the default response. */
  usual(request: ExchangeRequest): ExchangeResponse
  respond(request: ExchangeRequest): Promise<ExchangeResponse>
}

/**
 * Creates a fake exchange server: three tokens, one price, and transactions that are never executed.
 *
 * @param owner the plain address of the account
 * @example const { status = 200, body } = await fakeExchange(chainId, owner).respond({ path, query, body })
 */
export function fakeExchange(chainId: string, owner: string): FakeExchange {
  const id = (digits: string): string => `${chainId}:0x${digits}`
  const exchange: FakeExchange = {
    native: id('e'.repeat(40)),
    dollar: id('d0'.repeat(20)),
    key: id('4e'.repeat(20)),
    contract: `0x${'ec'.repeat(20)}`,
    rate: 3_000n,
    allowance: 0n,
    dollars: '500',
    quotesOutput: true,
    instead: {},
    usual: (request) => respondToRequest(exchange, chainId, owner, request),
    respond: async (request) =>
      (await exchange.instead[request.path.split('/').at(-1) ?? '']?.(request)) ?? exchange.usual(request),
  }
  return exchange
}

function respondToRequest(
  exchange: FakeExchange,
  chainId: string,
  owner: string,
  request: ExchangeRequest,
): ExchangeResponse {
  const { path } = request
  const fields: Readonly<Record<string, unknown>> = { ...request.query, ...request.body }
  const [from, to, amount] = [String(fields['from'] ?? ''), String(fields['to'] ?? ''), String(fields['amount'] ?? '0')]
  const quote = quoteOf(exchange, chainId, { from, to, amount, exact: fields['exact'] })
  const said: Readonly<Record<string, unknown>> = {
    '/v1/supported-chains': { http: [chainId], ws: [], swaps: [chainId] },
    '/v1/convert/tokens': { tokens: tokensOf(exchange), exactOutput: exchange.quotesOutput },
    '/v1/convert/gas-price': { standard: '1000000000', fast: '2000000000', instant: '3000000000' },
    '/v1/convert/allowance': { allowance: String(exchange.allowance) },
    '/v1/fungible/price': { fungibles: [{ address: exchange.dollar, price: 1 }] },
    '/v1/convert/quotes': { quotes: [quote] },
    ...buildTransactions(exchange, chainId, owner, { from, amount, quote, limits: limitsOf(quote, fields) }),
  }
  if (path.startsWith('/v1/account/')) return { body: { balances: [holdingOf(exchange, chainId)] } }
  return said[path] === undefined ? { status: 404, body: {} } : { body: said[path] }
}

function tokensOf({ native, dollar, key }: FakeExchange): readonly object[] {
  return [
    { name: 'Key Token', symbol: 'KEY', address: key, decimals: 18, logoUri: null, eip2612: false },
    { name: 'Coin', symbol: 'COIN', address: native, decimals: 18, logoUri: null, eip2612: false },
    { name: 'Latch Dollar', symbol: 'LUSD', address: dollar, decimals: 6, logoUri: null, eip2612: true },
  ]
}

function holdingOf({ dollar, dollars }: FakeExchange, chainId: string): object {
  const quantity = { decimals: '6', numeric: dollars }
  return { name: 'Latch Dollar', symbol: 'LUSD', chainId, address: dollar, price: 1, quantity, iconUrl: '' }
}

type SwapFields = { from: string; to: string; amount: string; exact: unknown }

const exponent = 10n ** 12n

/** An exact output costs the same rate, rounded up. */
function amountsOf({ dollar, rate }: FakeExchange, { from, amount, exact }: SwapFields): readonly [bigint, bigint] {
  const units = BigInt(amount)
  const [times, by] = from === dollar ? [exponent, rate] : [rate, exponent]
  return exact === 'output' ? [(units * by + times - 1n) / times, units] : [units, (units * times) / by]
}

function quoteOf(exchange: FakeExchange, chainId: string, fields: SwapFields): ConvertQuote {
  const { contract } = exchange
  const { from, to } = fields
  const [fromAmount, toAmount] = amountsOf(exchange, fields)
  return {
    // As on a real server, the id carries the quoted amount.
    id: fields.exact === 'output' ? `q1:${fromAmount}` : 'q1',
    fromAmount: String(fromAmount),
    fromAccount: from,
    toAmount: String(toAmount),
    toAccount: to,
    spender: `${chainId}:${contract}`,
    gas: '100000',
    priceImpact: 0.25,
    route: [{ exchange: 'Pool', from, to, fee: 0.3 }],
  }
}

type Limits = { maximum?: string; minimum?: string }

/** The limits of an exact output. Those of an exact input are not reported, as by older servers. */
function limitsOf({ fromAmount, toAmount }: ConvertQuote, fields: Readonly<Record<string, unknown>>): Limits {
  if (fields['exact'] !== 'output') return {}
  const own = Object.values(fields).find((value) => typeof value === 'object' && value !== null)
  const slippage = own === undefined ? 0 : Number(Reflect.get(Object(own), 'slippage'))
  const [, quoted = fromAmount] = String(fields['quoteId'] ?? '').split(':')
  const maximum = (BigInt(quoted) * (10_000n + BigInt(Math.round(slippage * 100)))) / 10_000n
  return { maximum: String(maximum), minimum: toAmount }
}

function buildTransactions(
  { native, contract }: FakeExchange,
  chainId: string,
  owner: string,
  { from, amount, quote, limits }: { from: string; amount: string; quote: ConvertQuote; limits: Limits },
): Readonly<Record<string, object>> {
  const account = `${chainId}:${owner}`
  const eip155 = { gas: '100000', gasPrice: '1000000000' }
  const word = (hex: string): string => hex.padStart(64, '0')
  const approval = `0x095ea7b3${word(contract.slice(2))}${word(BigInt(amount).toString(16))}`
  return {
    '/v1/convert/build-transaction': {
      tx: {
        from: account,
        to: `${chainId}:${contract}`,
        data: '0x12345678',
        amount: from === native ? (limits.maximum ?? quote.fromAmount) : '0',
        eip155,
        ...limits,
      },
    },
    '/v1/convert/build-approve': { tx: { from: account, to: from, data: approval, value: '0', eip155 } },
  }
}
