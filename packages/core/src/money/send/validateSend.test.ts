import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { validateSend, parseUnits } from './validateSend.ts'
import { emptySend, type SendState, type SendToken } from './sendState.ts'

const receiver = 'receiver'
const native: SendToken = {
  asset: { symbol: 'ETH', decimals: 3 },
  name: 'Ether',
  chainId: 'eip155:1',
  balance: 1_000n,
  price: 2,
}
const token: SendToken = { ...native, asset: { address: 'token', symbol: 'TKN', decimals: 2 }, balance: 500n }

function createPayment(change: Partial<SendState>): SendState {
  const networkBalance = { value: 1_000n, decimals: 3, symbol: 'ETH' }
  const ready = { token: native, amount: '0.5', receiver, receiverAddress: receiver, fee: { value: 10n } }
  return { ...emptySend, networkBalance, ...ready, ...change }
}

describe('validateSend returns the first problem', () => {
  test.each([
    ['no token', { token: undefined, amount: '' }, 'select-token'],
    ['no amount', { amount: '' }, 'add-amount'],
    ['an amount that is not a decimal number', { amount: '1e3' }, 'incorrect-value'],
    ['an amount of nothing', { amount: '0.000' }, 'incorrect-value'],
    ['less than the token can be divided into', { amount: '0.0001' }, 'incorrect-value'],
    ['less than nothing', { amount: '-1' }, 'incorrect-value'],
    ['more than there is', { amount: '1.001' }, 'insufficient-funds'],
    ['more of a token than there is', { token, amount: '5.01' }, 'insufficient-funds'],
    ['all that there is, with a fee to pay', { amount: '1' }, 'insufficient-gas'],
    [
      'a fee and a deposit above what is left',
      { amount: '0.9', fee: { value: 50n, deposit: 51n } },
      'insufficient-gas',
    ],
    [
      'an amount that takes what must stay in the account',
      { amount: '0.9', fee: { value: 50n, kept: { amount: 51n, reason: 'protected-outputs' } } },
      'insufficient-gas',
    ],
    ['no receiver', { receiver: ' ', receiverAddress: undefined }, 'add-address'],
    ['a receiver who is being looked up', { receiverAddress: undefined, resolving: true }, 'add-address'],
    ['an unknown receiver', { receiverAddress: undefined }, 'invalid-address'],
    ['a receiver whose checksum is wrong', { notes: ['invalid'] }, 'invalid-address'],
    ['a receiver on the main network', { notes: ['mainnet-address'] }, 'invalid-address'],
    ['a receiver on a test network', { notes: ['testnet-address'] }, 'invalid-address'],
    ['nothing', {}, 'ready'],
    ['nothing, for a token', { token, amount: '5' }, 'ready'],
    [
      'nothing, for an amount that leaves exactly what must stay',
      { amount: '0.9', fee: { value: 50n, kept: { amount: 50n, reason: 'protected-outputs' } } },
      'ready',
    ],
    [
      'nothing, while the balance is unknown',
      { token: { ...native, balance: undefined }, networkBalance: undefined },
      'ready',
    ],
  ] satisfies [string, Partial<SendState>, string][])('%s', (_, change, status) => {
    expect(validateSend(createPayment(change), false)).toBe(status)
  })
})

describe('insufficient gas', () => {
  const broke = { token, amount: '1', networkBalance: { value: 0n, decimals: 3, symbol: 'ETH' } }

  test('is reported without a balance or below the fee, except for smart accounts [R5.4.4] [R6.1]', () => {
    for (const change of [broke, { ...broke, networkBalance: { value: 9n, decimals: 3, symbol: 'ETH' } }]) {
      expect(validateSend(createPayment(change), false)).toBe('insufficient-gas')
      expect(validateSend(createPayment(change), true)).toBe('ready')
    }
    expect(validateSend(createPayment({ ...broke, fee: undefined }), false)).toBe('insufficient-gas')
    expect(
      validateSend(createPayment({ ...broke, networkBalance: { value: 10n, decimals: 3, symbol: 'ETH' } }), false),
    ).toBe('ready')
  })
})

test('a ready payment never costs more than the balance [G-02]', () => {
  const units = fc.bigInt({ min: 0n, max: 2n ** 80n })
  fc.assert(
    fc.property(units, units, units, (held, fee, sent) => {
      const amount = `${sent / 1_000n}.${(sent % 1_000n).toString().padStart(3, '0')}`
      const networkBalance = { value: held, decimals: 3, symbol: 'ETH' }
      const status = validateSend(createPayment({ amount, fee: { value: fee }, networkBalance }), false)
      expect(status === 'ready').toBe(sent > 0n && sent + fee <= held && held > 0n)
    }),
    { numRuns: 500 },
  )
})

test('an invalid amount is undefined [R5.4.3]', () => {
  expect([parseUnits('1.23', 2), parseUnits('1.239', 2), parseUnits('1,2', 2), parseUnits('', 2)]).toEqual([
    123n,
    123n,
    undefined,
    undefined,
  ])
})

test('parseUnits never throws, and never returns more than 256 bits', () => {
  const digits = fc.tuple(fc.stringMatching(/^[0-9]{0,200}$/), fc.stringMatching(/^[0-9]{0,200}$/))
  const entry = fc.oneof(
    fc.string({ unit: 'binary' }),
    digits.map(([whole, rest]) => `${whole}.${rest}`),
  )
  fc.assert(
    fc.property(entry, fc.integer({ min: 0, max: 77 }), (text, decimals) => {
      const units = parseUnits(text, decimals)
      expect(units === undefined || (units > -(10n ** 157n) && units < 1n << 256n)).toBe(true)
    }),
  )
  expect(parseUnits('9'.repeat(400), 18)).toBeUndefined()
  expect(parseUnits(((1n << 256n) - 1n).toString(), 0)).toBe((1n << 256n) - 1n)
  expect(parseUnits((1n << 256n).toString(), 0)).toBeUndefined()
})
