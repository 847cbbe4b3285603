import { encodeFunctionData, maxUint256, parseAbi, type Hex } from 'viem'
import { expect, test } from 'vitest'
import type { Chain } from '../../../chain/chain.ts'
import { readSignTypedData } from '../readSignTypedData.ts'

const token = `0x${'a1'.repeat(20)}` as const
const owner = `0x${'b2'.repeat(20)}` as const
const spender = `0x${'c3'.repeat(20)}` as const
const chainId = 'eip155:31337'
const network = { chainId, name: 'Local', nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 } }
const context = { origin: 'https://dapp.example', chainId, accounts: [{ namespace: 'eip155', address: owner }] }

/** A network on which every contract has eighteen decimals and no name. */
const chain: Chain = {
  request: async (_chain, _method, [call]) =>
    Reflect.get(Object(call), 'data') === '0x313ce567' ? `0x${18n.toString(16).padStart(64, '0')}` : '0x',
}

type Members = readonly { name: string; type: string }[]
const parseMembers = (text: string): Members =>
  text.split(', ').map((each) => ({ type: each.split(' ')[0] ?? '', name: each.split(' ')[1] ?? '' }))

async function factsOf(
  types: Readonly<Record<string, string>>,
  primaryType: string,
  message: object,
  known: readonly string[] = [],
) {
  const data = {
    types: Object.fromEntries(Object.entries(types).map(([name, text]) => [name, parseMembers(text)])),
    primaryType,
    domain: { chainId: 31337, verifyingContract: token },
    message,
  }
  const dependencies = {
    config: { networks: [network] },
    chain,
    holder: { sign: async () => new Uint8Array(65) },
    recipients: { list: async () => known, add: async () => undefined },
    now: () => 0,
  }
  const request = { ...context, method: 'eth_signTypedData_v4', network, params: [owner, JSON.stringify(data)] }
  const read = await readSignTypedData(request, dependencies)
  return read?.facts
}
const kindsOf = async (...parameters: Parameters<typeof factsOf>) =>
  (await factsOf(...parameters))?.banners.map(({ kind }) => kind)

const Permit = 'address owner, address spender, uint256 value, uint256 nonce, uint256 deadline'
const permit = { owner, spender, value: String(maxUint256), nonce: 0, deadline: 9 }
const approve: Hex = encodeFunctionData({
  abi: parseAbi(['function approve(address, uint256)']),
  args: [spender, maxUint256],
})

test('an unlimited permit inside of a wrapper shows the warning [I-19]', async () => {
  const types = { Permit, TypedDataSign: 'Permit contents, address verifyingContract' }
  const message = { contents: permit, verifyingContract: spender }
  expect(await kindsOf(types, 'TypedDataSign', message)).toEqual(['unlimited'])
})

test('a permit for a spender that looks like a known address shows the warning [I-19]', async () => {
  const known = `0x${spender.slice(2, 6)}${'0'.repeat(32)}${spender.slice(-4)}`
  const facts = await factsOf({ Permit }, 'Permit', { ...permit, value: '5' }, [known])
  expect(facts?.banners).toEqual([{ kind: 'lookAlike', address: spender, known }])
})

test.each(['TransferWithAuthorization', 'ReceiveWithAuthorization'])(
  'typed data of %s is shown as a transfer [I-19]',
  async (name) => {
    const types = {
      [name]: 'address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce',
    }
    const message = {
      from: owner,
      to: spender,
      value: '7',
      validAfter: 0,
      validBefore: 9,
      nonce: `0x${'00'.repeat(32)}`,
    }
    const facts = await factsOf(types, name, message)
    expect(facts?.action).toBe('send')
    expect(facts?.sections[0]?.rows).toContainEqual({
      label: 'to',
      value: { kind: 'address', address: spender, name: undefined },
    })
  },
)

test.each<[string, string, object, readonly string[]]>([
  ['an unlimited approval', 'SafeTx', { to: token, value: 0, data: approve, operation: 0 }, ['unlimited']],
  [
    'an upper-case approval',
    'SafeTx',
    { to: token, value: 0, data: `0x${approve.slice(2).toUpperCase()}`, operation: 0 },
    ['unlimited'],
  ],
  ['third-party code', 'SafeTx', { to: token, value: 0, data: '0x12345678', operation: 1 }, ['delegates']],
  ['a harmless call', 'SafeTx', { to: token, value: 0, data: '0x12345678', operation: 0 }, []],
])('a signed Safe transaction with %s shows the right warnings [I-19]', async (_what, name, message, kinds) => {
  expect(await kindsOf({ [name]: 'address to, uint256 value, bytes data, uint8 operation' }, name, message)).toEqual(
    kinds,
  )
})

test.each<[string, string, object]>([
  ['ForwardRequest', 'address from, address to, bytes data', { from: owner, to: token, data: approve }],
  ['PackedUserOperation', 'address sender, bytes callData', { sender: owner, callData: approve }],
  ['MetaTransaction', 'address from, bytes functionSignature', { from: owner, functionSignature: approve }],
])('an unlimited approval in a signed %s shows the warning [I-19]', async (name, type, message) => {
  expect(await kindsOf({ [name]: type }, name, message)).toEqual(['unlimited'])
})

test('more permits than fit on a screen show that they can’t be read [I-19]', async () => {
  const types = {
    Details: 'address token, uint160 amount, uint48 expiration, uint48 nonce',
    PermitBatch: 'Details[] details, address spender, uint256 sigDeadline',
  }
  const details = Array.from({ length: 40 }, () => ({ token, amount: '5', expiration: 9, nonce: 0 }))
  expect(await kindsOf(types, 'PermitBatch', { details, spender, sigDeadline: 9 })).toEqual(['rawHash'])
})

const seaport = {
  OrderComponents: 'address offerer, OfferItem[] offer, ConsiderationItem[] consideration',
  OfferItem: 'uint8 itemType, address token, uint256 identifierOrCriteria, uint256 startAmount, uint256 endAmount',
  ConsiderationItem:
    'uint8 itemType, address token, uint256 identifierOrCriteria, uint256 startAmount, uint256 endAmount, address recipient',
}
const zero = `0x${'0'.repeat(40)}`
const ether = 10n ** 18n
const give = { itemType: 2, token, identifierOrCriteria: '7', startAmount: '1', endAmount: '1' }
const createConsideration = (start: bigint, recipient: string = owner, end = start) => ({
  itemType: 0,
  token: zero,
  identifierOrCriteria: '0',
  startAmount: String(start),
  endAmount: String(end),
  recipient,
})
const spend = { ...give, itemType: 1, startAmount: String(ether), endAmount: String(ether) }

test.each<[string, readonly object[], readonly object[], readonly string[]]>([
  ['a sale', [give], [createConsideration(ether), createConsideration(ether / 40n, spender)], []],
  ['an order without consideration', [give], [], ['poorTrade']],
  ['an order that pays another account', [give], [createConsideration(ether, spender)], ['poorTrade']],
  ['an order for one wei', [give], [createConsideration(1n)], ['poorTrade']],
  ['an order whose price falls to zero', [give], [createConsideration(ether, owner, 0n)], ['poorTrade']],
  [
    'an order that pays others far more',
    [give],
    [createConsideration(ether / 100n), createConsideration(ether, spender)],
    ['poorTrade'],
  ],
  [
    'an order that returns a tenth of the same token',
    [spend],
    [{ ...spend, startAmount: String(ether / 10n), recipient: owner }],
    ['poorTrade'],
  ],
  ['a purchase of an item', [spend], [{ ...give, recipient: owner }], []],
])('%s of Seaport shows the right warnings [I-19]', async (_what, offer, consideration, kinds) => {
  const message = { offerer: owner, offer, consideration }
  expect(await kindsOf(seaport, 'OrderComponents', message)).toEqual(kinds)
  const bulk = { ...seaport, BulkOrder: 'OrderComponents[2] tree' }
  expect(await kindsOf(bulk, 'BulkOrder', { tree: [message, message] })).toEqual(kinds)
})

test('an order of Seaport shows what the account gives and receives [I-19]', async () => {
  const facts = await factsOf(seaport, 'OrderComponents', { offerer: owner, offer: [give], consideration: [] })
  expect(facts?.sections[0]?.rows.map(({ label, value }) => [label, value.kind])).toEqual([
    ['give', 'text'],
    ['collection', 'address'],
    ['receive', 'nothing'],
  ])
})
