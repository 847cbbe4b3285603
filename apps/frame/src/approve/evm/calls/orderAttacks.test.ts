import { encodeFunctionData, parseAbi, type Hex } from 'viem'
import { expect, test } from 'vitest'
import type { Chain } from '../../../chain/chain.ts'
import { callSpending } from '../../../policy/callSpending.ts'
import { describeCall } from '../describeCall.ts'
import { createTokens } from '../tokens.ts'
import { spender, token, wrapCall, wrapperKinds } from './mutateCall.ts'

const abi = parseAbi([
  'struct OfferItem { uint8 itemType; address token; uint256 identifierOrCriteria; uint256 startAmount; uint256 endAmount; }',
  'struct ConsiderationItem { uint8 itemType; address token; uint256 identifierOrCriteria; uint256 startAmount; uint256 endAmount; address recipient; }',
  'struct OrderParameters { address offerer; address zone; OfferItem[] offer; ConsiderationItem[] consideration; uint8 orderType; uint256 startTime; uint256 endTime; bytes32 zoneHash; uint256 salt; bytes32 conduitKey; uint256 totalOriginalConsiderationItems; }',
  'struct Order { OrderParameters parameters; bytes signature; }',
  'function validate(Order[] orders) returns (bool)',
])
const seaport: Hex = '0x0000000000000068f116a894984e2db1123eb395'
const owner: Hex = `0x${'a1'.repeat(20)}`
const zero: Hex = `0x${'0'.repeat(40)}`
const word: Hex = `0x${'0'.repeat(64)}`
const ether = 10n ** 18n

const give = { itemType: 2, token, identifierOrCriteria: 7n, startAmount: 1n, endAmount: 1n }
const createConsideration = (start: bigint, recipient: Hex = owner, end = start) => ({
  itemType: 0,
  token: zero,
  identifierOrCriteria: 0n,
  startAmount: start,
  endAmount: end,
  recipient,
})
type Consideration = ReturnType<typeof createConsideration>

const createOrder = (consideration: readonly Consideration[], offer = [give]) => ({
  parameters: {
    offerer: owner,
    zone: zero,
    offer,
    consideration,
    orderType: 0,
    startTime: 0n,
    endTime: 2n ** 40n,
    zoneHash: word,
    salt: 0n,
    conduitKey: word,
    totalOriginalConsiderationItems: BigInt(consideration.length),
  },
  signature: '0x' as const,
})
const validate = (...orders: readonly ReturnType<typeof createOrder>[]): Hex =>
  encodeFunctionData({ abi, functionName: 'validate', args: [orders] })

const silent: Chain = { request: async () => '0x' }
const native = { symbol: 'ETH', decimals: 18 }
const describeData = (data: Hex) =>
  describeCall({ to: seaport, value: 0n, data }, native, createTokens(silent, 'eip155:1'))
const kindsOf = async (data: Hex) => (await describeData(data)).banners.map(({ kind }) => kind)

test.each<[string, readonly Consideration[], readonly string[]]>([
  ['a sale', [createConsideration(ether), createConsideration(ether / 40n, spender)], []],
  ['an order without consideration', [], ['poorTrade']],
  ['an order that pays another account', [createConsideration(ether, spender)], ['poorTrade']],
  ['an order for one wei', [createConsideration(1n)], ['poorTrade']],
  ['an order whose price falls to zero', [createConsideration(ether, owner, 0n)], ['poorTrade']],
])(
  '%s that Seaport accepts without a signature shows the right warning [I-19]',
  async (_what, consideration, kinds) => {
    const data = validate(createOrder(consideration))
    expect(await kindsOf(data)).toEqual(kinds)
    expect(await kindsOf(`0x${data.slice(2).toUpperCase()}`)).toEqual(kinds)
    for (let wrapper = 0; wrapper < wrapperKinds; wrapper += 1)
      expect(await kindsOf(wrapCall(wrapper, data))).toEqual(kinds)
  },
)

test('an order that Seaport accepts without a signature shows what the account gives and receives [I-19]', async () => {
  const { rows } = await describeData(validate(createOrder([])))
  expect(rows.map(({ label, value }) => [label, value.kind])).toEqual([
    ['give', 'text'],
    ['collection', 'address'],
    ['receive', 'nothing'],
  ])
})

test('more orders or items than fit on a screen show that they can’t be read [I-19]', async () => {
  const sale = createOrder([createConsideration(ether)])
  expect(await kindsOf(validate(...Array.from({ length: 9 }, () => sale)))).toEqual(['rawHash'])
  const large = createOrder(
    [createConsideration(ether)],
    Array.from({ length: 17 }, () => give),
  )
  expect(await kindsOf(validate(large))).toEqual(['rawHash'])
})

test('an order that Seaport accepts without a signature exceeds every limit [L-01]', () => {
  const data = validate(createOrder([createConsideration(ether)]))
  expect(callSpending('eip155:1', { to: seaport, value: 0n, data }).isUnknown).toBe(true)
})
