import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { displayAmount, formatAmount, parseAmount } from './amount.ts'

const runs = { numRuns: 1_000 }

const decimals = fc.integer({ min: 0, max: 30 })

describe('reading amounts', () => {
  test.each([
    ['1', 18, 10n ** 18n],
    ['1.5', 18, 15n * 10n ** 17n],
    ['0.000000000000000001', 18, 1n],
    ['0.0000000000000000019', 18, 1n],
    ['-0.5', 6, -500_000n],
    ['-0', 6, 0n],
    ['007', 0, 7n],
    ['7.99', 0, 7n],
    ['115792089237316195423570985008687907853269984665640564039457584007913129639935', 0, 2n ** 256n - 1n],
  ])('%s with %i decimals [R5.4.3] [G-02]', (text, decimals, units) => {
    expect(parseAmount(text, decimals)).toBe(units)
  })

  test.each([
    '',
    ' ',
    '1e18',
    '.5',
    '5.',
    '+1',
    '١',
    ' 1',
    '1 ',
    '1_0',
    '1,000',
    '--1',
    '-',
    '.',
    '0x10',
    'NaN',
    'Infinity',
    '1.2.3',
    '1\n',
  ])('rejects %j [R5.4.3] [G-02]', (text) => {
    expect(() => parseAmount(text, 18)).toThrow(
      expect.objectContaining({
        code: 'amount/invalid',
        message: expect.stringContaining('not a valid decimal number'),
      }),
    )
  })

  test('agrees with whole-number arithmetic [R5.4.3] [G-02]', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 300n }), decimals, fc.boolean(), (units, decimals, negative) => {
        const scale = 10n ** BigInt(decimals)
        const fraction = decimals === 0 ? '' : `.${(units % scale).toString().padStart(decimals, '0')}`
        const text = `${negative ? '-' : ''}${units / scale}${fraction}`
        expect(parseAmount(text, decimals)).toBe(negative ? -units : units)
      }),
      runs,
    )
  })

  test('accepts exactly the strings of the grammar [R5.4.3] [G-02]', () => {
    const near = fc.oneof(fc.string(), fc.stringMatching(/^[-+.,eE0-9 _x١]{0,12}$/))
    fc.assert(
      fc.property(near, (text) => {
        const accepted = /^-?[0-9]+(\.[0-9]+)?$/.test(text)
        let error: unknown
        try {
          parseAmount(text, 18)
        } catch (caught) {
          error = caught
        }
        expect([text, error === undefined]).toEqual([text, accepted])
      }),
      runs,
    )
  })

  test('is exact for a hundred thousand digits, and truncates invalid strings in errors [G-02]', () => {
    const digits = '9'.repeat(100_000)
    expect(parseAmount(digits, 0) + 1n).toBe(10n ** 100_000n)
    expect(() => parseAmount(`${digits}e`, 0)).toThrow(expect.objectContaining({ context: { value: '9'.repeat(80) } }))
  })
})

test('formatted amounts parse to the same amount, with any number of decimals [R5.4.3] [R9.5.5] [G-02]', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 300n), max: 2n ** 300n }), decimals, (units, decimals) => {
      expect(parseAmount(formatAmount(units, decimals), decimals)).toBe(units)
    }),
    runs,
  )
})

describe('showing amounts', () => {
  test.each([
    [undefined, 18, '0.000'],
    [0n, 18, '0.000'],
    [1_999_999n, 6, '1.999'],
    [999n, 6, '0.000'],
    [1_234_567_891_234n, 6, '1,234,567.891'],
    [5n, 0, '5.000'],
    [-1_999_999n, 6, '-1.999'],
    [-1_234_000_000n, 6, '-1,234.000'],
  ])('%s with %i decimals is %s, truncated to three decimals [R5.7.1]', (units, decimals, text) => {
    expect(displayAmount(units, decimals)).toBe(text)
  })

  test('shows dollars with two decimals or none, as requested [R5.7.1]', () => {
    expect(displayAmount(1_239_999n, 6, 2)).toBe('1.23')
    expect(displayAmount(1_999_999n, 6, 0)).toBe('1')
  })

  test('never shows more than the amount [R5.7.1]', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 200n }), decimals, (units, decimals) => {
        const shown = parseAmount(displayAmount(units, decimals).replaceAll(',', ''), decimals)
        expect(shown <= units).toBe(true)
        expect(units - shown < 10n ** BigInt(Math.max(0, decimals - 3))).toBe(true)
      }),
      runs,
    )
  })
})
