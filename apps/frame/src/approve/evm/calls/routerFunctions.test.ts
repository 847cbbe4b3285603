import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  maxUint160,
  parseAbi,
  parseAbiParameters,
  type Hex,
} from 'viem'
import { expect, test } from 'vitest'
import { callSpending } from '../../../policy/callSpending.ts'
import { describeCall } from '../describeCall.ts'
import { createTokens } from '../tokens.ts'
import { allEffects, isKnownFunction, readCall } from './readCall.ts'

const abi = parseAbi(['function execute(bytes commands, bytes[] inputs, uint256 deadline)'])
const router: Hex = `0x${'e5'.repeat(20)}`
const token: Hex = `0x${'a1'.repeat(20)}`
const thief: Hex = `0x${'c3'.repeat(20)}`
const owner: Hex = `0x${'b2'.repeat(20)}`
const sender: Hex = `0x${'00'.repeat(19)}01`
const itself: Hex = `0x${'00'.repeat(19)}02`
const native: Hex = `0x${'00'.repeat(20)}`

const parametersOf = {
  tokens: parseAbiParameters('address token, address recipient, uint256 amount'),
  transfers: parseAbiParameters('(address from, address to, uint160 amount, address token)[]'),
  permit: parseAbiParameters('((address, uint160, uint48, uint48), address, uint256), bytes'),
  plan: parseAbiParameters('bytes commands, bytes[] inputs'),
  swap: parseAbiParameters('address recipient, uint256 amountIn, uint256 amountOut, bytes path, bool payerIsUser'),
}
const tokensInput = (asset: Hex, recipient: Hex, amount: bigint): Hex =>
  encodeAbiParameters(parametersOf.tokens, [asset, recipient, amount])
const permitInput = (amount = maxUint160): Hex =>
  encodeAbiParameters(parametersOf.permit, [[[token, amount, 9, 0], thief, 9n], `0x${'55'.repeat(65)}`])
const swapInput = encodeAbiParameters(parametersOf.swap, [sender, 5n, 1n, '0x1234', true])
const execute = (commands: Hex, ...inputs: readonly Hex[]): Hex =>
  encodeFunctionData({ abi, args: [commands, inputs, 9n] })
const callOf = (data: Hex) => ({ to: router, value: 0n, data })
const effectsOf = (data: Hex) => allEffects(readCall(callOf(data))).filter(({ kind }) => kind !== 'incomplete')
const describeData = (data: Hex) =>
  describeCall(callOf(data), { symbol: 'ETH', decimals: 18 }, createTokens({ request: async () => '0x' }, 'eip155:1'))

test('a permit within a plan of the Universal Router shows the warning and its spender [I-18]', async () => {
  const { action, banners, receivers } = await describeData(execute('0x0b0a00', '0x', permitInput(), swapInput))
  expect({ action, banners, receivers }).toEqual({
    action: 'allow',
    banners: [{ kind: 'unlimited' }],
    receivers: [thief],
  })
})

test.each<Hex>(['0x0a', '0x8a', '0x4a', '0xca'])(
  'a permit with the command %s shows the warning [I-18]',
  async (command) => {
    expect((await describeData(execute(command, permitInput()))).banners).toEqual([{ kind: 'unlimited' }])
  },
)

test('the transfers of a plan are shown with their receivers [I-18]', () => {
  const transfers = encodeAbiParameters(parametersOf.transfers, [[{ from: owner, to: thief, amount: 7n, token }]])
  const data = execute('0x020d', tokensInput(token, thief, 5n), transfers)
  expect(effectsOf(data)).toEqual([
    { kind: 'transfer', token, to: thief, units: 5n },
    { kind: 'transfer', token, from: owner, to: thief, units: 7n },
  ])
})

test.each<[string, Hex]>([
  ['SWEEP', '0x04'],
  ['TRANSFER', '0x05'],
  ['PAY_PORTION', '0x06'],
])('%s to another address than the caller is shown with its receiver [I-18]', async (_name, command) => {
  const paid = execute(command, tokensInput(token, thief, 5n))
  expect(effectsOf(paid)).toEqual([{ kind: 'payout', token, to: thief }])
  expect((await describeData(execute(command, tokensInput(native, thief, 5n)))).receivers).toEqual([thief])
  for (const recipient of [sender, itself])
    expect(effectsOf(execute(command, tokensInput(token, recipient, 5n)))).toEqual([])
})

test('a transfer to the router itself names the router [I-18]', () => {
  expect(effectsOf(execute('0x02', tokensInput(token, itself, 5n)))).toEqual([
    { kind: 'transfer', token, to: router, units: 5n },
  ])
})

test('sub-plans are read to the fourth level, and deeper ones show that they can’t be read [I-18]', async () => {
  const nest = (levels: number): Hex => {
    let [commands, input]: readonly [Hex, Hex] = ['0x0a', permitInput()]
    for (let level = 0; level < levels; level += 1)
      [commands, input] = ['0x21', encodeAbiParameters(parametersOf.plan, [commands, [input]])]
    return execute(commands, input)
  }
  expect((await describeData(nest(4))).banners).toEqual([{ kind: 'unlimited' }])
  expect((await describeData(nest(5))).banners).toEqual([{ kind: 'rawHash' }])
})

test('a command whose input ends too early is read from the bytes behind it, as the router does [I-18]', () => {
  const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`
  // An input of length zero, which the words of a transfer follow.
  const data = concat([
    '0x3593564c',
    ...[96, 160, 9, 1].map(word),
    `0x02${'00'.repeat(31)}`,
    ...[1, 32, 0].map(word),
    tokensInput(token, thief, 5n),
  ])
  expect(effectsOf(data)).toEqual([{ kind: 'transfer', token, to: thief, units: 5n }])
})

test('a plan with more commands than fit on a screen shows that it can’t be read [I-18]', async () => {
  const commands: Hex = `0x${'0b'.repeat(33)}0a`
  const inputs = [...Array.from({ length: 33 }, (): Hex => '0x'), permitInput()]
  expect((await describeData(execute(commands, ...inputs))).banners).toContainEqual({ kind: 'rawHash' })
})

test('an ordinary swap shows the function and no warning', async () => {
  const { action, banners, rows } = await describeData(execute('0x00', swapInput))
  expect({ action, banners, labels: rows.map(({ label }) => label) }).toEqual({
    action: 'transaction',
    banners: [],
    labels: ['contract', 'function'],
  })
})

test('the signing rules count every plan as unknown, because swaps spend earlier allowances', () => {
  for (const data of [execute('0x00', swapInput), execute('0x'), execute('0x04', tokensInput(token, thief, 5n))])
    expect(callSpending('eip155:1', callOf(data)).isUnknown).toBe(true)
})

test('no permission covers a plan', () => {
  expect([isKnownFunction('0x3593564c'), isKnownFunction('0x24856bc3')]).toEqual([true, true])
})
