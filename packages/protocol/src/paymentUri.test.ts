import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Network } from './network.ts'
import {
  parsePaymentUri,
  formatPaymentRequest,
  formatReceiveUri,
  sharesAddresses,
  formatPaymentUri,
  type PaymentUri,
} from './paymentUri.ts'

const account = '0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb'
const token = '0x6B175474E89094C44Da98b954EedeAC495271d0F'
const solanaKey = '7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv'
const bitcoinKey = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
const testKey = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
const regtestKey = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const maxUnits = (1n << 256n) - 1n

const createNetwork = (chainNamespace: Network['chainNamespace'], reference: string): Network => ({
  id: reference,
  caipNetworkId: `${chainNamespace}:${reference}`,
  chainNamespace,
  name: reference,
  nativeCurrency: { name: 'Coin', symbol: 'COIN', decimals: 8 },
  rpcUrls: { default: { http: [] } },
})

test('formatPaymentRequest formats an exact amount in the URI scheme of each namespace', () => {
  const amount = { units: 150_000_000n, amount: '1.5' }
  const ethereum = createNetwork('eip155', '137')
  expect(formatPaymentRequest(ethereum, { to: account, ...amount })).toBe(`ethereum:${account}@137?value=150000000`)
  expect(formatPaymentRequest(ethereum, { to: account, token, ...amount })).toBe(
    `ethereum:${token}@137/transfer?address=${account}&uint256=150000000`,
  )
  const solana = createNetwork('solana', 'x')
  expect(formatPaymentRequest(solana, { to: solanaKey, ...amount })).toBe(`solana:${solanaKey}?amount=1.5`)
  expect(formatPaymentRequest(solana, { to: solanaKey, token: solanaKey, ...amount })).toBe(
    `solana:${solanaKey}?amount=1.5&spl-token=${solanaKey}`,
  )
  const bitcoin = createNetwork('bip122', 'x')
  expect(formatPaymentRequest(bitcoin, { to: bitcoinKey, ...amount })).toBe(`bitcoin:${bitcoinKey}?amount=1.5`)
  expect(formatPaymentRequest(createNetwork('polkadot', 'x'), { to: '5Grwva', ...amount })).toBeUndefined()
  expect(() => formatPaymentRequest(ethereum, { to: 'nobody', ...amount })).toThrow(/names no address/)
})

test('formatReceiveUri formats an address in the URI scheme of each namespace [R1.6]', () => {
  expect(formatReceiveUri(createNetwork('eip155', '137'), account)).toBe(`ethereum:${account}@137`)
  expect(formatReceiveUri(createNetwork('solana', 'x'), solanaKey)).toBe(`solana:${solanaKey}`)
  expect(formatReceiveUri(createNetwork('bip122', 'x'), bitcoinKey)).toBe(`bitcoin:${bitcoinKey}`)
  expect(formatReceiveUri(createNetwork('polkadot', 'x'), '5Grwva')).toBe('5Grwva')
})

test('sharesAddresses returns true for networks whose address format is network-independent', () => {
  expect(sharesAddresses(createNetwork('eip155', '1'), createNetwork('eip155', '10'))).toBe(true)
  expect(sharesAddresses(createNetwork('solana', 'a'), createNetwork('solana', 'b'))).toBe(true)
  expect(sharesAddresses(createNetwork('bip122', 'a'), createNetwork('bip122', 'b'))).toBe(false)
  expect(sharesAddresses(createNetwork('polkadot', 'a'), createNetwork('polkadot', 'a'))).toBe(true)
  expect(sharesAddresses(createNetwork('eip155', '1'), createNetwork('solana', '1'))).toBe(false)
})

test.each<[string, PaymentUri]>([
  [`ethereum:${account}`, { namespace: 'eip155', to: account }],
  [`ethereum:pay-${account}@0137`, { namespace: 'eip155', to: account, chainId: 'eip155:137' }],
  ['ethereum:alice.eth?value=2.014e18', { namespace: 'eip155', to: 'alice.eth', units: 2_014_000_000_000_000_000n }],
  [`ETHEREUM:${account}?value=1&gas=21000`, { namespace: 'eip155', to: account, units: 1n }],
  [
    `ethereum:${token}@1/transfer?address=${account}&uint256=1e6`,
    { namespace: 'eip155', to: account, chainId: 'eip155:1', token, units: 1_000_000n },
  ],
  [
    `solana:${solanaKey}?amount=0.01&label=Fish%20%26%20Chips&unknown=1`,
    { namespace: 'solana', to: solanaKey, amount: '0.01', label: 'Fish & Chips' },
  ],
  [
    `bitcoin:${bitcoinKey}?amount=20.3&label=Luke-Jr&somethingelse=1`,
    { namespace: 'bip122', to: bitcoinKey, amount: '20.3', label: 'Luke-Jr' },
  ],
  [`ethereum:${account}?value=.5e18`, { namespace: 'eip155', to: account, units: 500_000_000_000_000_000n }],
  [
    `ETHEREUM:${account.toUpperCase()}@137?VALUE=1E18`,
    {
      namespace: 'eip155',
      to: `0x${account.slice(2).toUpperCase()}`,
      chainId: 'eip155:137',
      units: 1_000_000_000_000_000_000n,
    },
  ],
  [
    `ETHEREUM:${token.toUpperCase()}/TRANSFER?ADDRESS=${account.toUpperCase()}&UINT256=7`,
    {
      namespace: 'eip155',
      to: `0x${account.slice(2).toUpperCase()}`,
      token: `0x${token.slice(2).toUpperCase()}`,
      units: 7n,
    },
  ],
  [
    `BITCOIN:${bitcoinKey.toUpperCase()}?AMOUNT=20.3&LABEL=LUKE`,
    { namespace: 'bip122', to: bitcoinKey.toUpperCase(), amount: '20.3', label: 'LUKE' },
  ],
  [`bitcoin:${bitcoinKey}?amount=.5`, { namespace: 'bip122', to: bitcoinKey, amount: '0.5' }],
  [`bitcoin:${bitcoinKey}?amount=5.`, { namespace: 'bip122', to: bitcoinKey, amount: '5' }],
  [`bitcoin:?bc=${bitcoinKey}&amount=1`, { namespace: 'bip122', to: bitcoinKey, amount: '1' }],
  [`bitcoin:?tb=${testKey}`, { namespace: 'bip122', to: testKey }],
  [`bitcoin:?bcrt=${regtestKey}`, { namespace: 'bip122', to: regtestKey }],
  [`bitcoin:${bitcoinKey}?tb=${testKey}`, { namespace: 'bip122', to: bitcoinKey }],
  [`bitcoin:${bitcoinKey}?x-req-y=1&required=1`, { namespace: 'bip122', to: bitcoinKey }],
  [`ethereum:${account}?value=+7`, { namespace: 'eip155', to: account, units: 7n }],
  [`ethereum:${account}?value=1.0500e4`, { namespace: 'eip155', to: account, units: 10_500n }],
  [`ethereum:${account}?value=${maxUnits}`, { namespace: 'eip155', to: account, units: maxUnits }],
  [`ethereum:${account}?value=1.500e1`, { namespace: 'eip155', to: account, units: 15n }],
  ['ethereum:PAY-pay.eth', { namespace: 'eip155', to: 'pay.eth' }],
  ['ethereum:a0Xb.eth', { namespace: 'eip155', to: 'a0Xb.eth' }],
  [`ethereum:${account}?flag&=x&label=a=b`, { namespace: 'eip155', to: account }],
  [`bitcoin:${bitcoinKey}?label=a=b&message`, { namespace: 'bip122', to: bitcoinKey, label: 'a=b', message: '' }],
])('parsePaymentUri parses %s', (uri, payment) => {
  expect(parsePaymentUri(uri)).toEqual(payment)
})

test.each([
  ['', 'its beginning is not known'],
  ['ethereum:', 'its beginning is not known'],
  [` ethereum:${account}`, 'its beginning is not known'],
  [`http:${account}`, 'its beginning is not known'],
  ['ethereum:0xabc', 'it names no address'],
  [`ethereum:${account}/approve?address=${account}`, 'it asks for approve, which is not a payment'],
  [`ethereum:${token}/transfer?uint256=1`, 'it names no recipient'],
  [`ethereum:${token}/transfer?address=${account}&value=1`, 'it asks to pay a token and coins at once'],
  [`ethereum:${account}?value=0.5`, 'its amount has parts of what has no parts'],
  [`ethereum:${account}?value=-1`, 'its amount is not a number'],
  [`ethereum:${account}?value=1&value=2`, 'value stands there twice'],
  [`ethereum:${account}?value=9e77`, 'its amount is larger than any'],
  [`ethereum:${account}?value=%zz`, 'it is badly encoded'],
  ['solana:https%3A%2F%2Fevil.example', 'it names no address'],
  [`solana:${solanaKey}?amount=1e9`, 'its amount is not a decimal number'],
  [`solana:${solanaKey}?amount=.5`, 'its amount is not a decimal number'],
  [`solana:${solanaKey}?amount=0.0000000001`, 'its amount is finer than there is'],
  [`solana:${solanaKey}?spl-token=0x1`, 'it names an unknown account'],
  [`bitcoin:${bitcoinKey}?amount=.`, 'its amount is not a decimal number'],
  [`BITCOIN:${bitcoinKey.toUpperCase()}?REQ-NEW=1`, 'it requires req-new'],
  [`bitcoin:${bitcoinKey}?amount=1&AMOUNT=2`, 'amount stands there twice'],
  [`ethereum:${account}?value=.`, 'its amount is not a number'],
  [`ethereum:${account}?value=e18`, 'its amount is not a number'],
  [`bitcoin:${bitcoinKey}?amount=50,000.00`, 'its amount is not a decimal number'],
  [`bitcoin:${bitcoinKey}?req-somethingyoudontunderstand=50`, 'it requires req-somethingyoudontunderstand'],
  [`ethereum:${account}/${'a'.repeat(41)}`, `it asks for ${'a'.repeat(40)}, which is not a payment`],
  [`bitcoin:${bitcoinKey}?req-${'a'.repeat(41)}=1`, `it requires req-${'a'.repeat(36)}`],
  [`ethereum:${account}@${'1'.repeat(33)}`, 'it names no address'],
  [`ethereum:x${account}`, 'it names no address'],
  [`ethereum:${account}0`, 'it names no address'],
  [`ethereum:${token}/transfer?address=x${account}`, 'it names no recipient'],
  [`ethereum:${token}/transfer?address=${account}0`, 'it names no recipient'],
  [`ethereum:${account}?value=x1`, 'its amount is not a number'],
  [`ethereum:${account}?value=1x`, 'its amount is not a number'],
  [`ethereum:${account}?value=1.`, 'its amount is not a number'],
  [`ethereum:${account}?value=1e100`, 'its amount is not a number'],
  [`ethereum:${account}?value=1e`, 'its amount is not a number'],
  [`ethereum:${account}?value=`, 'its amount is not a number'],
  [`ethereum:${account}?value=${maxUnits + 1n}`, 'its amount is larger than any'],
  [`solana:!${solanaKey}`, 'it names no address'],
  [`solana:${solanaKey}!`, 'it names no address'],
  [`solana:${'1'.repeat(31)}`, 'it names no address'],
  [`solana:${'1'.repeat(45)}`, 'it names no address'],
  [`solana:${solanaKey}?reference=${solanaKey}&reference=0`, 'it names an unknown account'],
  [`solana:${solanaKey}?amount=5.`, 'its amount is not a decimal number'],
  [`solana:${solanaKey}?amount=x1`, 'its amount is not a decimal number'],
  [`solana:${solanaKey}?amount=1x`, 'its amount is not a decimal number'],
  [`solana:${solanaKey}?amount=${'1'.repeat(41)}`, 'its amount is not a decimal number'],
  [`solana:${solanaKey}?spl-token=${solanaKey}&amount=0.${'1'.repeat(41)}`, 'its amount is not a decimal number'],
  [`bitcoin:${bitcoinKey}?amount=0.000000001`, 'its amount is finer than there is'],
  [`bitcoin:${bitcoinKey}?amount=1..`, 'its amount is not a decimal number'],
  [`bitcoin:${bitcoinKey}?amount=..1`, 'its amount is not a decimal number'],
  ['bitcoin:', 'its beginning is not known'],
  ['bitcoin:?amount=1', 'it names no address'],
  [`bitcoin:!${bitcoinKey}`, 'it names no address'],
  [`bitcoin:${bitcoinKey}!`, 'it names no address'],
  [`bitcoin:!${'1'.repeat(25)}`, 'it names no address'],
  [`bitcoin:${'1'.repeat(25)}!`, 'it names no address'],
  [`bitcoin:!${bitcoinKey.toUpperCase()}`, 'it names no address'],
  [`bitcoin:${bitcoinKey.toUpperCase()}!`, 'it names no address'],
  [`bitcoin:${'1'.repeat(24)}`, 'it names no address'],
  [`bitcoin:${'1'.repeat(63)}`, 'it names no address'],
  [`bitcoin:bc1${'q'.repeat(7)}`, 'it names no address'],
  [`bitcoin:bc1${'q'.repeat(91)}`, 'it names no address'],
  [`bitcoin:BC1${'Q'.repeat(91)}`, 'it names no address'],
  [`bitcoin:bc1${'o'.repeat(70)}`, 'it names no address'],
  [`bitcoin:bc1${'Q'.repeat(70)}`, 'it names no address'],
])('parsePaymentUri throws for "%s"', (uri, reason) => {
  expect(() => parsePaymentUri(uri)).toThrow(`The payment link is invalid: ${reason}.`)
})

test.each([
  ['solana', '1'.repeat(32)],
  ['solana', 'z'.repeat(44)],
  ['bitcoin', '1'.repeat(25)],
  ['bitcoin', 'z'.repeat(62)],
  ['bitcoin', `bc1${'q'.repeat(8)}`],
  ['bitcoin', `bc1${'q'.repeat(90)}`],
  ['bitcoin', `TB1${'Q'.repeat(90)}`],
  ['bitcoin', `BCRT1${'Q'.repeat(70)}`],
])('parsePaymentUri accepts addresses of all lengths: %s:%s', (scheme, to) => {
  expect(parsePaymentUri(`${scheme}:${to}`)).toMatchObject({ to })
})

test('parsePaymentUri accepts amounts of 40 digits before and after the point', () => {
  const amount = `${'1'.repeat(40)}.${'1'.repeat(40)}`
  expect(parsePaymentUri(`solana:${solanaKey}?spl-token=${solanaKey}&amount=${amount}`)).toMatchObject({ amount })
  expect(() => parsePaymentUri(`solana:${solanaKey}?amount=0.123456789`)).not.toThrow()
  expect(() => parsePaymentUri(`bitcoin:${bitcoinKey}?amount=0.12345678`)).not.toThrow()
})

test('formatPaymentUri throws when the link could not be parsed', () => {
  expect(() => formatPaymentUri({ namespace: 'bip122', to: `${bitcoinKey}?amount=1` })).toThrow('no address')
  expect(() => formatPaymentUri({ namespace: 'eip155', to: account, units: 1n << 256n })).toThrow('larger than any')
})

const hexAddress = fc.stringMatching(/^0x[0-9a-f]{40}$/)
const key = fc.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)
const optionalArbitrary = <value>(arbitrary: fc.Arbitrary<value>): fc.Arbitrary<value | undefined> =>
  fc.option(arbitrary, { nil: undefined })
const text = fc.string({ unit: 'grapheme', maxLength: 30 })
const amountArbitrary = (places: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.nat(1_000_000), fc.stringMatching(new RegExp(`^\\d{0,${places}}$`)))
    .map(([whole, fraction]) => (fraction === '' ? `${whole}` : `${whole}.${fraction}`))

const payments: fc.Arbitrary<PaymentUri> = fc.oneof(
  fc.record({
    namespace: fc.constant('eip155' as const),
    to: hexAddress,
    chainId: optionalArbitrary(fc.integer({ min: 1 }).map((id) => `eip155:${id}` as const)),
    token: optionalArbitrary(hexAddress),
    units: optionalArbitrary(fc.bigInt({ min: 0n, max: (1n << 256n) - 1n })),
  }),
  fc.record({
    namespace: fc.constant('solana' as const),
    to: key,
    token: optionalArbitrary(key),
    amount: optionalArbitrary(amountArbitrary(9)),
    references: optionalArbitrary(fc.array(key, { minLength: 1, maxLength: 3 })),
    label: optionalArbitrary(text),
    message: optionalArbitrary(text),
    memo: optionalArbitrary(text),
  }),
  fc.record({
    namespace: fc.constant('bip122' as const),
    to: fc.constantFrom(bitcoinKey, bitcoinKey.toUpperCase(), '175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W'),
    amount: optionalArbitrary(amountArbitrary(8)),
    label: optionalArbitrary(text),
    message: optionalArbitrary(text),
  }),
)

test('parsePaymentUri returns the payment passed to formatPaymentUri', () => {
  fc.assert(
    fc.property(payments, (payment) => void expect(parsePaymentUri(formatPaymentUri(payment))).toEqual(payment)),
  )
})

test('parsePaymentUri throws only its own errors for any string', () => {
  const nearly = fc.oneof(
    fc.string(),
    fc
      .tuple(fc.constantFrom('ethereum:', 'solana:', 'bitcoin:'), fc.constantFrom(account, solanaKey, bitcoinKey), text)
      .map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(nearly, (uri) => {
      try {
        parsePaymentUri(uri)
      } catch (error) {
        expect(error).toMatchObject({ code: 'payment-uri/invalid' })
      }
    }),
  )
})
