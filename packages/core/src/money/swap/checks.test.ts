import { expect, test } from 'vitest'
import { fakeExchange } from '../../testing/fakes.ts'
import { checkApprovalCall, checkSwapCall } from './checks.ts'
import type { SwapQuote, SwapToken } from './state.ts'
import type { BuiltTransaction } from './transactions.ts'

const chainId = 'eip155:1'
const owner = `0x${'aa'.repeat(20)}`
const { native, dollar, key, contract: exchange } = fakeExchange(chainId, owner)
const ether = 10n ** 18n

const encodeWord = (value: bigint | string): string =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2)).toLowerCase().padStart(64, '0')
const encodeApproval = (spender: string, amount: bigint): `0x${string}` =>
  `0x095ea7b3${encodeWord(spender)}${encodeWord(amount)}`
const getAddress = (id: string): string => id.slice(chainId.length + 1)

function createToken(id: string): SwapToken {
  return { id, name: 'Token', symbol: 'TOK', decimals: 18, ...(id !== native && { address: getAddress(id) }) }
}

function createQuote(from: string, fromAmount: bigint, spender = `${chainId}:${exchange}`): SwapQuote {
  const account = `eip155:1:${owner}` as const
  const request = {
    account,
    chainId,
    from: createToken(from),
    to: createToken(key),
    amount: fromAmount,
    exact: 'from',
  } as const
  const amounts = { fromAmount, toAmount: 3_000n }
  return { request, id: 'q', ...amounts, spender, fee: undefined, impact: undefined, route: [], at: 0 }
}

/** The same quote, of an exact amount to receive. */
function outputQuote(from: string, fromAmount: bigint): SwapQuote {
  const input = createQuote(from, fromAmount)
  return { ...input, request: { ...input.request, amount: input.toAmount, exact: 'to' } }
}

const approval: BuiltTransaction = {
  from: `${chainId}:${owner}`,
  to: dollar,
  data: encodeApproval(exchange, 100n),
  value: 0n,
  gas: undefined,
  maximum: undefined,
  minimum: undefined,
}
const swap: BuiltTransaction = {
  from: `${chainId}:${owner}`,
  to: `${chainId}:${exchange}`,
  data: '0x12345678',
  value: ether,
  gas: 180_000n,
  maximum: ether,
  minimum: 2_970n,
}
const bad = `0x${'bad0'.repeat(10)}`

test('an approval of exactly the amount for the swap contract passes', () => {
  const upperCase = {
    ...approval,
    to: dollar.replace('0xd0', '0xD0'),
    from: approval.from.toUpperCase().replace('EIP', 'eip').replace('0X', '0x'),
  }
  expect(checkApprovalCall(approval, createQuote(dollar, 100n), 100n)).toEqual({
    to: getAddress(dollar),
    data: encodeApproval(exchange, 100n),
  })
  expect(checkApprovalCall(upperCase, createQuote(dollar, 100n), 100n)).toMatchObject({ to: getAddress(dollar) })
})

const wrongApprovals: readonly (readonly [string, Partial<BuiltTransaction>])[] = [
  ['of another token', { to: key }],
  ['sent to the exchange itself', { to: `${chainId}:${exchange}` }],
  ['on another chain', { to: dollar.replace('eip155:1', 'eip155:5') }],
  ['for another spender', { data: encodeApproval(bad, 100n) }],
  ['of more than the amount to pay', { data: encodeApproval(exchange, 2n ** 256n - 1n) }],
  ['of less than the amount to pay', { data: encodeApproval(exchange, 99n) }],
  ['that is a payment', { data: `0xa9059cbb${encodeWord(exchange)}${encodeWord(100n)}` }],
  ['with trailing data', { data: `${encodeApproval(exchange, 100n)}00` }],
  ['that also sends native currency', { value: 1n }],
  ['from another account', { from: `${chainId}:${bad}` }],
]

test.each(wrongApprovals)('an approval %s is rejected', (_, change) => {
  expect(() => checkApprovalCall({ ...approval, ...change }, createQuote(dollar, 100n), 100n)).toThrow(
    'does not match the quote',
  )
})

test('the native currency needs no approval', () => {
  expect(() => checkApprovalCall({ ...approval, to: native }, createQuote(native, 100n), 100n)).toThrow(
    'nothing has to be allowed',
  )
})

test('the accepted swap passes, with its gas limit', () => {
  expect(checkSwapCall(swap, createQuote(native, ether), 1)).toEqual({
    to: exchange,
    data: '0x12345678',
    value: ether,
    gas: 180_000n,
  })
  expect(checkSwapCall({ ...swap, value: 0n, maximum: 100n }, createQuote(dollar, 100n), 1)).toMatchObject({
    value: 0n,
  })
  expect(checkSwapCall({ ...swap, maximum: undefined }, createQuote(native, ether), 1)).toMatchObject({ value: ether })
})

const wrongSwaps: readonly (readonly [string, Partial<BuiltTransaction>])[] = [
  ['sent elsewhere', { to: `${chainId}:${bad}` }],
  ['that pays more', { value: ether + 1n }],
  ['that pays less', { value: 0n }],
  ['that may take more', { maximum: ether + 1n }],
  ['that calls nothing', { data: '0x' }],
  ['from another account', { from: `${chainId}:${bad}` }],
]

test.each(wrongSwaps)('a swap %s is rejected', (_, change) => {
  expect(() => checkSwapCall({ ...swap, ...change }, createQuote(native, ether), 1)).toThrow('does not match the quote')
})

test('a token swap with a native value is rejected', () => {
  expect(() => checkSwapCall({ ...swap, value: 1n, maximum: 100n }, createQuote(dollar, 100n), 1)).toThrow(
    'does not match the quote',
  )
})

test('a swap that gives less than quoted is rejected', () => {
  expect(() => checkSwapCall({ ...swap, minimum: 2_969n }, createQuote(native, ether), 1)).toThrow('price moved')
  expect(checkSwapCall({ ...swap, minimum: 2_850n }, createQuote(native, ether), 5)).toBeDefined()
})

test.each([dollar, key])('a token that impersonates the swap contract is rejected: %s', (token) => {
  const taken = { ...swap, to: token, value: 0n, data: `0xa9059cbb${encodeWord(exchange)}${encodeWord(100n)}` } as const
  expect(() => checkSwapCall(taken, createQuote(dollar, 100n, token), 1)).toThrow('a token poses as the exchange')
})

const mostEther = (ether * 101n) / 100n
const output: BuiltTransaction = { ...swap, value: mostEther, maximum: mostEther, minimum: 3_000n }

test('an exact output may pay the maximum, which is the quoted amount and the slippage', () => {
  expect(checkSwapCall(output, outputQuote(native, ether), 1)).toMatchObject({ value: mostEther })
  const sold = { ...output, value: 0n, maximum: 101n }
  expect(checkSwapCall(sold, outputQuote(dollar, 100n), 1)).toMatchObject({ value: 0n })
  const most = { ...approval, data: encodeApproval(exchange, 101n) }
  expect(checkApprovalCall(most, outputQuote(dollar, 100n), 101n)).toMatchObject({ to: getAddress(dollar) })
})

test.each<[string, Partial<BuiltTransaction>]>([
  ['that pays more than the maximum', { value: mostEther + 1n }],
  ['that may take more than the maximum', { maximum: mostEther + 1n }],
  ['without a stated maximum', { maximum: undefined }],
])('an exact output %s is rejected', (_, change) => {
  const check = (): unknown => checkSwapCall({ ...output, ...change }, outputQuote(native, ether), 1)
  expect(check).toThrow('does not match the quote')
})

test('an exact output that gives less is rejected', () => {
  const check = (): unknown => checkSwapCall({ ...output, minimum: 2_999n }, outputQuote(native, ether), 1)
  expect(check).toThrow('price moved')
})
