import { concat, encodeFunctionData, maxUint256, parseAbi, toFunctionSelector, type Hex } from 'viem'
import { expect, test } from 'vitest'
import type { Chain } from '../../../chain/chain.ts'
import { findLookAlikes } from '../../findLookAlikes.ts'
import { describeCall } from '../describeCall.ts'
import { createTokens } from '../tokens.ts'
import { batchFunctions } from './batchFunctions.ts'
import {
  createRandom,
  grantCall,
  grantKinds,
  grantsUnlimited,
  mutateCall,
  spender,
  token,
  wrapCall,
  wrapperKinds,
} from './mutateCall.ts'
import { grantFunctions } from './grantFunctions.ts'
import { orderFunctions } from './orderFunctions.ts'
import { readCall } from './readCall.ts'
import { routerFunctions } from './routerFunctions.ts'
import { transferFunctions } from './transferFunctions.ts'

const silent: Chain = { request: async () => '0x' }
const native = { symbol: 'ETH', decimals: 18 }
const describeData = (data: Hex, chain = silent) =>
  describeCall({ to: token, value: 0n, data }, native, createTokens(chain, 'eip155:1'))
const kindsOf = async (data: Hex, chain?: Chain) => (await describeData(data, chain)).banners.map(({ kind }) => kind)
const hasWarning = (kinds: readonly string[]): boolean => kinds.includes('unlimited') || kinds.includes('everything')

const unlimited = grantCall(0, true)
const dirty: Hex = `0x095ea7b3${'ff'.repeat(12)}${spender.slice(2)}${'ff'.repeat(32)}`

test.each<[string, Hex]>([
  ['an upper-case selector', `0x${unlimited.slice(2).toUpperCase()}`],
  ['one trailing byte', `${unlimited}00`],
  ['dirty address bits', dirty],
  ['a truncated amount', unlimited.slice(0, -20) as Hex],
  [
    'an amount that only just exceeds 128 bits',
    `${unlimited.slice(0, 74)}${(2n ** 128n).toString(16).padStart(64, '0')}` as Hex,
  ],
])('an unlimited approval with %s shows the warning [I-18]', async (_what, data) => {
  const read = await describeData(data)
  expect(read.action).toBe('allow')
  expect(read.banners).toEqual([{ kind: 'unlimited' }])
  expect(read.receivers).toEqual([spender])
})

test('an approval above the total supply shows the warning [I-18]', async () => {
  const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`
  const supplied: Chain = {
    request: async (_chain, _method, [call]) =>
      Reflect.get(Object(call), 'data') === '0x313ce567' ? word(6n) : word(1_000_000n),
  }
  const approve = (amount: bigint): Hex =>
    encodeFunctionData({ abi: parseAbi(['function approve(address, uint256)']), args: [spender, amount] })
  expect(await kindsOf(approve(1_000_000n), supplied)).toEqual(['unlimited'])
  expect(await kindsOf(approve(999_999n), supplied)).toEqual([])
})

test('a look-alike behind dirty address bits shows the warning [I-18]', async () => {
  const { receivers } = await describeData(dirty)
  const known = `0x${spender.slice(2, 6)}${'0'.repeat(32)}${spender.slice(-4)}`
  expect(findLookAlikes(receivers, [known])).toEqual([{ kind: 'lookAlike', address: spender, known }])
})

test('a batch offset that wraps at 256 bits shows the warning [I-18]', async () => {
  // Solidity adds the offset of an item unchecked: minus 128 points in front of the array.
  const word = (value: bigint): string => BigInt.asUintN(256, value).toString(16).padStart(64, '0')
  const inner = unlimited.slice(2)
  const padded = inner.padEnd(192, '0')
  const data: Hex = `0xac9650d8${word(160n)}${word(BigInt(inner.length / 2))}${padded}${word(1n)}${word(-160n)}`
  expect(await kindsOf(data)).toEqual(['unlimited'])
})

test('a call of another contract’s code as the account shows the warning [I-18]', async () => {
  const abi = parseAbi([
    'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 a, uint256 b, uint256 c, address d, address e, bytes f)',
    'function execute(bytes32 mode, bytes data)',
  ])
  const delegated = encodeFunctionData({
    abi,
    functionName: 'execTransaction',
    args: [token, 0n, '0x12345678', 1, 0n, 0n, 0n, token, token, '0x'],
  })
  const executed = encodeFunctionData({ abi, functionName: 'execute', args: [`0xff${'00'.repeat(31)}`, token] })
  expect(await kindsOf(delegated)).toEqual(['delegates'])
  expect(await kindsOf(executed)).toEqual(['delegates'])
})

test('a batch in the fifth level shows that it can’t be read [I-18]', async () => {
  const levels = (count: number): Hex =>
    Array.from({ length: count }).reduce<Hex>((data, _, at) => wrapCall(at, data), unlimited)
  expect(await kindsOf(levels(4))).toEqual(['unlimited'])
  expect(await kindsOf(levels(5))).toEqual(['rawHash'])
})

test('a batch of more calls than fit on a screen shows that it can’t be read [I-18]', async () => {
  const abi = parseAbi(['function multicall(bytes[] data)'])
  const calls = [...Array.from({ length: 40 }, (): Hex => '0x12345678'), unlimited]
  expect(await kindsOf(encodeFunctionData({ abi, args: [calls] }))).toContain('rawHash')
})

test('a batch that contains itself many times is read in bounded steps [I-18]', async () => {
  // Every item of every level points to the same array.
  const word = (value: number): string => value.toString(16).padStart(64, '0')
  const items = Array.from({ length: 200 }, () => word(0)).join('')
  expect(await kindsOf(`0xac9650d8${word(32)}${word(200)}${items}`)).toContain('rawHash')
})

test.each(Array.from({ length: grantKinds }, (_, kind) => kind))(
  'unlimited grant %i shows the warning in every kind of batch [I-18]',
  async (kind) => {
    expect(hasWarning(await kindsOf(grantCall(kind, true)))).toBe(true)
    expect(await kindsOf(grantCall(kind, false))).toEqual([])
    for (let wrapper = 0; wrapper < wrapperKinds; wrapper += 1) {
      const data = wrapCall(wrapper, grantCall(kind, true))
      expect(hasWarning(await kindsOf(data))).toBe(true)
      expect(await kindsOf(wrapCall(wrapper, grantCall(kind, false)))).toEqual([])
    }
  },
)

test('each selector is that of its signature', () => {
  for (const [selector, { signature }] of Object.entries({
    ...grantFunctions,
    ...orderFunctions,
    ...transferFunctions,
    ...batchFunctions,
    ...routerFunctions,
  }))
    expect(toFunctionSelector(`function ${signature}`)).toBe(selector)
})

test.each([11, 23, 37, 53, 71])(
  'of 2,000 mutated calls of seed %i, each that a contract accepts as unlimited shows the warning [I-18]',
  { tags: 'abuse' },
  async (seed) => {
    const random = createRandom(20_261_123 * seed)
    let accepted = 0
    for (let round = 0; round < 2_000; round += 1) {
      let data = grantCall(random(grantKinds), random(4) > 0)
      for (let depth = random(5); depth > 0; depth -= 1) {
        if (random(3) === 0) data = mutateCall(data, random).toLowerCase() as Hex
        data = wrapCall(random(wrapperKinds), data)
      }
      data = mutateCall(data, random)
      if (!grantsUnlimited(data)) continue
      accepted += 1
      const kinds = await kindsOf(data)
      const isWarned = hasWarning(kinds) || kinds.includes('rawHash')
      expect({ data, isWarned }).toEqual({ data, isWarned: true })
    }
    expect(accepted).toBeGreaterThan(600)
  },
)

test('random bytes behind any known selector never throw [G-07]', () => {
  const random = createRandom(7)
  const selectors = Object.keys({
    ...grantFunctions,
    ...orderFunctions,
    ...transferFunctions,
    ...batchFunctions,
    ...routerFunctions,
  }) as Hex[]
  for (let round = 0; round < 3_000; round += 1) {
    const bytes = Array.from({ length: random(400) }, () => (random(3) === 0 ? random(256) : random(2) * 32))
    const data = concat([selectors[round % selectors.length] ?? '0x', `0x${Buffer.from(bytes).toString('hex')}`])
    expect(() => readCall({ to: token, value: maxUint256, data })).not.toThrow()
  }
})
