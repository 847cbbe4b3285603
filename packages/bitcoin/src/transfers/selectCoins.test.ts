import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { getDustLimit, getFee, getVirtualSize, type PayerKind } from './virtualSize.ts'
import { getPaymentFee, selectCoins, type Coin, type PaymentTerms } from './selectCoins.ts'

function createBytes(length: number): Uint8Array {
  return new Uint8Array(length).fill(1)
}

const scripts: Readonly<Record<PayerKind, Uint8Array>> = {
  pkh: Uint8Array.of(0x76, 0xa9, 20, ...createBytes(20), 0x88, 0xac),
  sh: Uint8Array.of(0xa9, 20, ...createBytes(20), 0x87),
  wpkh: Uint8Array.of(0, 20, ...createBytes(20)),
  tr: Uint8Array.of(0x51, 32, ...createBytes(32)),
}
const wsh = Uint8Array.of(0, 32, ...createBytes(32))

const someKind = fc.constantFrom<PayerKind>('pkh', 'sh', 'wpkh', 'tr')
const someAmount = fc.bigInt({ min: 0n, max: 21n * 10n ** 14n })
const someCoins = fc
  .array(fc.record({ amount: someAmount, isConfirmed: fc.boolean() }), { maxLength: 40 })
  .map((coins) => coins.map((coin, index): Coin => ({ ...coin, txid: 'ab'.repeat(32), index })))
const someTerms = fc
  .record({
    kind: someKind,
    receiver: someKind,
    amount: fc.oneof(someAmount, fc.bigInt({ min: 1n, max: 200_000n })),
    feeRate: fc.bigInt({ min: 1_000n, max: 2_000_000n }),
  })
  .map(({ kind, receiver, amount, feeRate }): PaymentTerms => {
    return { payer: { kind, script: scripts[kind] }, receiverScript: scripts[receiver], amount, feeRate }
  })

function sumAmounts(coins: readonly Coin[]): bigint {
  return coins.reduce((total, { amount }) => total + amount, 0n)
}

describe('a selection of coins', () => {
  test('conserves value: its coins are the amount, the fee and the change', () => {
    expect(() =>
      fc.assert(
        fc.property(someCoins, someTerms, (coins, terms) => {
          const selection = selectCoins(coins, terms)
          if (selection === undefined) return true
          const { fee, change } = selection
          return sumAmounts(selection.coins) === terms.amount + fee + change && fee > 0n && change >= 0n
        }),
        { numRuns: 2_000 },
      ),
    ).not.toThrow()
  })

  test('never spends a coin twice, nor one that does not exist', () => {
    expect(() =>
      fc.assert(
        fc.property(someCoins, someTerms, (coins, terms) => {
          const spent = selectCoins(coins, terms)?.coins ?? []
          return new Set(spent).size === spent.length && spent.every((coin) => coins.includes(coin))
        }),
      ),
    ).not.toThrow()
  })

  test('pays at least the rate, and at most the cost of a change output above it', () => {
    expect(() =>
      fc.assert(
        fc.property(someCoins, someTerms, (coins, terms) => {
          const selection = selectCoins(coins, terms)
          if (selection === undefined) return true
          const inputs = selection.coins.length
          const least = getPaymentFee(inputs, terms, selection.change > 0n ? 'change' : 'none')
          const most = getPaymentFee(inputs, terms, 'change') + getDustLimit(terms.payer.script)
          return selection.fee >= least && selection.fee <= most
        }),
        { numRuns: 2_000 },
      ),
    ).not.toThrow()
  })

  test('has no change that nodes would not relay', () => {
    expect(() =>
      fc.assert(
        fc.property(someCoins, someTerms, (coins, terms) => {
          const { change = 0n } = selectCoins(coins, terms) ?? {}
          return change === 0n || change > getDustLimit(terms.payer.script)
        }),
      ),
    ).not.toThrow()
  })

  test('is found whenever all coins together suffice and each is worth its input', () => {
    expect(() =>
      fc.assert(
        fc.property(someCoins, someTerms, (coins, terms) => {
          // Two inputs, because sizes are rounded up.
          const input = getPaymentFee(3, terms) - getPaymentFee(1, terms)
          const worthy = coins.filter(({ amount }) => amount > input)
          const isEnough = worthy.length > 0 && sumAmounts(worthy) >= terms.amount + getPaymentFee(worthy.length, terms)
          return (selectCoins(worthy, terms) !== undefined) === isEnough
        }),
        { numRuns: 2_000 },
      ),
    ).not.toThrow()
  })

  test('spends unconfirmed coins only if the confirmed ones do not suffice', () => {
    expect(() =>
      fc.assert(
        fc.property(someCoins, someTerms, (coins, terms) => {
          const confirmed = selectCoins(
            coins.filter(({ isConfirmed }) => isConfirmed),
            terms,
          )
          return confirmed === undefined || selectCoins(coins, terms)?.coins.every(({ isConfirmed }) => isConfirmed)
        }),
      ),
    ).not.toThrow()
  })

  test('takes the smallest single coin that suffices, and otherwise the largest ones', () => {
    const coinsOf = (...amounts: readonly bigint[]): Coin[] =>
      amounts.map((amount, index) => ({ txid: 'ab'.repeat(32), index, amount, isConfirmed: true }))
    const terms = (amount: bigint): PaymentTerms => ({
      payer: { kind: 'wpkh', script: scripts.wpkh },
      receiverScript: scripts.wpkh,
      amount,
      feeRate: 1_000n,
    })
    const amounts = (amount: bigint): bigint[] | undefined =>
      selectCoins(coinsOf(90_000n, 20_000n, 50_000n, 30_000n), terms(amount))?.coins.map((coin) => coin.amount)
    expect(amounts(25_000n)).toEqual([30_000n])
    expect(amounts(100_000n)).toEqual([90_000n, 50_000n])
    expect(amounts(190_000n)).toBeUndefined()
  })

  test('without coins does not exist', () => {
    expect(() => fc.assert(fc.property(someTerms, (terms) => selectCoins([], terms) === undefined))).not.toThrow()
  })
})

describe('the size of a payment', () => {
  test.each<readonly [PayerKind, bigint]>([
    ['pkh', 226n],
    ['sh', 166n],
    ['wpkh', 141n],
    ['tr', 154n],
  ])('from one input of %s with two outputs of its own kind is %i virtual bytes', (payer, size) => {
    const { length } = scripts[payer]
    expect(getVirtualSize({ payer, inputs: 1, outputs: [length, length] })).toBe(size)
  })

  test('is multiplied with the rate and rounded up', () => {
    expect([getFee(141n, 2_100n), getFee(100n, 1_001n), getFee(100n, 1_000n)]).toEqual([297n, 101n, 100n])
  })

  test.each([
    ['P2PKH', scripts.pkh, 546n],
    ['P2SH', scripts.sh, 540n],
    ['P2WPKH', scripts.wpkh, 294n],
    ['P2WSH', wsh, 330n],
    ['P2TR', scripts.tr, 330n],
  ])('the dust limit of %s is that of Bitcoin Core', (_, script, limit) => {
    expect(getDustLimit(script)).toBe(limit)
  })
})
