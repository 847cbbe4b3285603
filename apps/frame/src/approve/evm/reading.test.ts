import { hashTypedData, maxUint256, type TypedDataDefinition } from 'viem'
import { expect, test } from 'vitest'
import type { Chain } from '../../chain/chain.ts'
import { RpcError } from '../../chain/rpcError.ts'
import { describeCall } from './describeCall.ts'
import { parsePermit } from './permit.ts'
import { parseRevert } from './revertReason.ts'
import { parseTransactionRequest } from './readSendTransaction.ts'
import { readSignTypedData } from './readSignTypedData.ts'
import { createTokens } from './tokens.ts'
import { parseTypedData } from './typedData.ts'

const token = `0x${'a1'.repeat(20)}` as const
const owner = `0x${'b2'.repeat(20)}` as const
const spender = `0x${'c3'.repeat(20)}` as const
const chainId = 'eip155:31337'
const native = { symbol: 'ETH', decimals: 18 }

const encodeWord = (value: bigint): string => value.toString(16).padStart(64, '0')
const encodeText = (value: string): string =>
  `0x${encodeWord(32n)}${encodeWord(BigInt(value.length))}${[...value]
    .map((letter) => letter.charCodeAt(0).toString(16))
    .join('')
    .padEnd(64, '0')}`
/** A network on which every contract is a token with six decimals. */
const chain: Chain = {
  async request(_chain, _method, [call]) {
    return Reflect.get(Object(call), 'data') === '0x313ce567' ? `0x${encodeWord(6n)}` : encodeText('USDC')
  },
}
const createTestTokens = () => createTokens(chain, chainId)

const domain = { name: 'Token', version: '1', chainId: 31337, verifyingContract: token }
const permit = {
  types: {
    Permit: [
      { name: 'owner', type: 'address' },
      { name: 'spender', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
  primaryType: 'Permit',
  domain,
  message: { owner, spender, value: '5000000', nonce: 0, deadline: '1800000000' },
}
const details = { token, amount: '5000000', expiration: 1_800_000_000, nonce: 0 }
const PermitDetails = [
  { name: 'token', type: 'address' },
  { name: 'amount', type: 'uint160' },
  { name: 'expiration', type: 'uint48' },
  { name: 'nonce', type: 'uint48' },
]
const single = {
  types: {
    PermitDetails,
    PermitSingle: [
      { name: 'details', type: 'PermitDetails' },
      { name: 'spender', type: 'address' },
      { name: 'sigDeadline', type: 'uint256' },
    ],
  },
  primaryType: 'PermitSingle',
  domain,
  message: { details, spender, sigDeadline: '1800000000' },
}
const batch = {
  types: {
    PermitDetails,
    PermitBatch: [{ name: 'details', type: 'PermitDetails[]' }, ...single.types.PermitSingle.slice(1)],
  },
  primaryType: 'PermitBatch',
  domain,
  message: { details: [details, { ...details, amount: String(2n ** 160n - 1n) }], spender, sigDeadline: '1800000000' },
}
const daiPermit = {
  types: {
    Permit: [
      { name: 'holder', type: 'address' },
      { name: 'spender', type: 'address' },
      { name: 'nonce', type: 'uint256' },
      { name: 'expiry', type: 'uint256' },
      { name: 'allowed', type: 'bool' },
    ],
  },
  primaryType: 'Permit',
  domain,
  message: { holder: owner, spender, nonce: 0, expiry: 0, allowed: true },
}

const requestContext = {
  origin: 'https://dapp.example',
  chainId,
  accounts: [{ namespace: 'eip155', address: owner }],
  method: 'eth_signTypedData_v4',
  network: { chainId, name: 'Local', nativeCurrency: { name: 'Ether', ...native } },
}
const dependencies = {
  config: { networks: [requestContext.network] },
  chain,
  holder: { sign: async () => new Uint8Array(65) },
  recipients: { list: async () => [], add: async () => undefined },
  now: () => 0,
}
const factsOf = async (data: unknown) =>
  (await readSignTypedData({ ...requestContext, params: [owner, JSON.stringify(data)] }, dependencies))?.facts

test.each([
  ['a permit', permit, 'permit', []],
  [
    'a permit for an unlimited amount',
    { ...permit, message: { ...permit.message, value: String(maxUint256) } },
    'permit',
    ['unlimited'],
  ],
  ['a DAI-style permit for an unlimited amount', daiPermit, 'permit', ['unlimited']],
  ['a permit for one token through Permit2', single, 'permit', []],
  ['a permit for several tokens, one of them unlimited', batch, 'permit', ['unlimited']],
  ['a permit for another chain', { ...permit, domain: { ...domain, chainId: 1 } }, 'permit', ['otherChain']],
  ['a chain that is not a number', { ...single, domain: { ...domain, chainId: '0x1' } }, 'permit', ['otherChain']],
  ['data without a chain', { ...single, domain: { name: 'Token' } }, 'permit', []],
] as const)('%s is shown as %s with the expected warnings [I-16]', async (_what, data, action, banners) => {
  const facts = await factsOf(data)
  expect(facts?.action).toBe(action)
  expect(facts?.banners.map(({ kind }) => kind)).toEqual(banners)
  expect(facts?.sections.at(-1)?.rows.map(({ label }) => label)).toEqual(['type', 'content', 'domain'])
})

test('a permit shows spender, amount, token and deadline', async () => {
  expect((await parsePermit(parseTypedData(permit), native, createTestTokens()))?.rows).toEqual([
    { label: 'spender', value: { kind: 'address', address: spender } },
    { label: 'amount', value: { kind: 'amount', amount: { units: 5_000_000n, decimals: 6, symbol: 'USDC' } } },
    { label: 'token', value: { kind: 'address', address: token, name: 'USDC' } },
    { label: 'deadline', value: { kind: 'time', at: 1_800_000_000_000 } },
  ])
})

test('the signed hash matches the request without untyped values [G-07]', () => {
  const { json } = parseTypedData({ ...batch, message: { ...batch.message, hidden: 'x' } })
  expect(json).not.toContain('hidden')
  // The fixtures are typed data; their literals are wider than viem's types.
  expect(hashTypedData(JSON.parse(json) as TypedDataDefinition)).toBe(hashTypedData(batch as TypedDataDefinition))
})

test.each([
  ['no object', '7'],
  ['no JSON', '{'],
  ['the types are missing', JSON.stringify({ ...permit, types: undefined })],
  ['invalid types', JSON.stringify({ ...permit, types: { Permit: [{ name: 'a' }] } })],
  ['an unknown type', JSON.stringify({ ...permit, primaryType: 'toString' })],
  ['a missing value', JSON.stringify({ ...permit, message: { ...permit.message, value: undefined } })],
  ['a value that does not fit', JSON.stringify({ ...permit, message: { ...permit.message, value: '-1' } })],
  ['an invalid address', JSON.stringify({ ...permit, message: { ...permit.message, spender: '0x12' } })],
  [
    'a number that JSON cannot carry',
    '{"types":{"A":[{"name":"a","type":"uint256"}]},"primaryType":"A","message":{"a":9007199254740993}}',
  ],
  ['a list that is an object', JSON.stringify({ ...batch, message: { ...batch.message, details: {} } })],
  [
    'more values than can be shown',
    JSON.stringify({ ...batch, message: { ...batch.message, details: Array.from({ length: 2_000 }, () => details) } }),
  ],
  [
    'types nested too deeply',
    JSON.stringify({ types: { A: [{ name: 'a', type: 'A' }] }, primaryType: 'A', message: createNested(40) }),
  ],
])('refuses typed data with %s [G-07]', (_what, content) => {
  expect(() => parseTypedData(content)).toThrow(RpcError)
})

function createNested(depth: number): object {
  return depth === 0 ? {} : { a: createNested(depth - 1) }
}

const encodeCall = (selector: string, ...words: readonly bigint[]): `0x${string}` =>
  `0x${selector}${words.map(encodeWord).join('')}`
const [to, from] = [BigInt(spender), BigInt(owner)]

test.each([
  ['a transfer', encodeCall('a9059cbb', to, 5n), 'send', [], [spender]],
  ['a transfer on behalf of another', encodeCall('23b872dd', from, to, 5n), 'send', [], [spender]],
  ['an allowance', encodeCall('095ea7b3', to, 5n), 'allow', [], [spender]],
  ['an allowance without limit', encodeCall('095ea7b3', to, maxUint256), 'allow', ['unlimited'], [spender]],
  ['an allowance of 2^96 − 1', encodeCall('095ea7b3', to, 2n ** 96n - 1n), 'allow', ['unlimited'], [spender]],
  ['a revoked allowance', encodeCall('095ea7b3', to, 0n), 'revoke', [], [spender]],
  ['more allowance, without limit', encodeCall('39509351', to, 2n ** 255n), 'allow', ['unlimited'], [spender]],
  [
    'a permit that is submitted',
    encodeCall('d505accf', from, to, maxUint256, 0n, 27n, 1n, 2n),
    'allow',
    ['unlimited'],
    [spender],
  ],
  ['an allowance for a collection', encodeCall('a22cb465', to, 1n), 'allow', ['everything'], [spender]],
  ['a revoked allowance for a collection', encodeCall('a22cb465', to, 0n), 'revoke', [], [spender]],
  ['an item', encodeCall('42842e0e', from, to, 7n), 'send', [], [spender]],
  ['several units of an item', encodeCall('f242432a', from, to, 7n, 3n, 160n, 0n), 'send', [], [spender]],
  ['a call to an unknown function', encodeCall('3593564c', 1n), 'transaction', [], []],
  ['a transfer to an address with dirty bits', encodeCall('a9059cbb', 2n ** 200n + to, 5n), 'send', [], [spender]],
  ['a truncated transfer', `0xa9059cbb${encodeWord(to)}` as const, 'send', [], [spender]],
  ['less than a selector', '0xa9' as const, 'transaction', [], []],
] as const)('%s is described correctly [I-16]', async (_what, data, action, banners, receivers) => {
  const read = await describeCall({ to: token, value: 0n, data }, native, createTestTokens())
  expect(read.action).toBe(action)
  expect(read.banners.map(({ kind }) => kind)).toEqual(banners)
  expect(read.receivers).toEqual(receivers)
})

test('a transfer of a token without decimals is shown as an item', async () => {
  const silent: Chain = { request: async () => '0x' }
  const read = await describeCall(
    { to: token, value: 0n, data: encodeCall('23b872dd', from, to, 7n) },
    native,
    createTokens(silent, chainId),
  )
  expect(read.rows).toContainEqual({ label: 'item', value: { kind: 'text', text: '#7' } })
})

test('a deceptive token name is detected [G-05]', async () => {
  const bytes = new TextEncoder().encode('UЅDC')
  const name = `0x${encodeWord(32n)}${encodeWord(BigInt(bytes.length))}${Buffer.from(bytes).toString('hex').padEnd(64, '0')}`
  const deceptive = createTokens({ request: async () => name }, chainId)
  expect(deceptive.hasSuspiciousName()).toBe(false)
  expect((await deceptive.of(token)).symbol).toBe('UЅDC')
  expect(deceptive.hasSuspiciousName()).toBe(true)
})

test('throws only refusals for random input [G-07]', async () => {
  let seed = 7
  const random = (below: number): number => (seed = (seed * 48_271) % 0x7fff_ffff) % below
  const invalidValues: readonly unknown[] = [
    undefined,
    null,
    '',
    '0x',
    '0xzz',
    -1,
    1e300,
    true,
    [],
    {},
    '__proto__',
    '0x' + 'f'.repeat(70),
    { toString: 1 },
  ]
  const pick = (): unknown => invalidValues[random(invalidValues.length)]
  const refused = (act: () => unknown): void => {
    try {
      act()
    } catch (error) {
      expect(error).toBeInstanceOf(RpcError)
    }
  }
  for (let round = 0; round < 1_500; round += 1) {
    refused(() =>
      parseTransactionRequest([
        { from: pick(), to: pick(), data: pick(), value: pick(), gas: pick(), nonce: pick(), chainId: pick() },
      ]),
    )
    refused(() => parseTransactionRequest(pick()))
    refused(() =>
      parseTypedData({
        ...permit,
        domain: { ...domain, chainId: pick() },
        message: { ...permit.message, value: pick() },
      }),
    )
    const data = `0x${Array.from({ length: random(200) }, () => random(16).toString(16)).join('')}` as const
    await describeCall({ to: token, value: 0n, data: `0xa9059cbb${data.slice(2)}` }, native, createTestTokens())
    parseRevert(`0x08c379a0${data.slice(2)}`)
  }
})
