import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Hex } from '../block.ts'
import { createSparseParser } from './createSparseParser.ts'

const toAddress = (number: number): Hex => `0x${number.toString(16).padStart(40, 'a')}`
const followed = new Set([toAddress(1), toAddress(2)])

/** Restores each transaction of a parsed value. */
function restoreAll(value: unknown, restore: (transaction: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => restoreAll(each, restore))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      name === 'transactions' && Array.isArray(each) ? each.map(restore) : restoreAll(each, restore),
    ]),
  )
}

const transaction = (from: Hex, to: Hex | null, more: object = {}): object => ({ from, to, hash: '0x1', ...more })

test('only transactions that name a followed address are parsed, in any letters', () => {
  const transactions = [
    transaction(toAddress(9), toAddress(8)),
    transaction(toAddress(1), toAddress(9)),
    transaction(toAddress(9), toAddress(2).toUpperCase().replace('0X', '0x') as Hex),
    transaction(toAddress(9), null),
  ]
  const { parse, restore } = createSparseParser(followed)
  const text = Buffer.from(JSON.stringify([{ result: { transactions, number: '0x1' } }, { result: [] }]))
  expect(parse(text)).toEqual([
    { result: { transactions: [0, transactions[1], transactions[2], 1], number: '0x1' } },
    { result: [] },
  ])
  expect([restore(0), restore(1), restore(2), restore('0x1')]).toEqual([transactions[0], transactions[3], 2, '0x1'])
})

test('several responses share one parser', () => {
  const { parse, restore } = createSparseParser(followed)
  const [first, second] = [transaction(toAddress(7), null), transaction(toAddress(8), null)]
  const parsed = [first, second].map((each) => parse(Buffer.from(JSON.stringify({ transactions: [each] }))))
  expect(parsed).toEqual([{ transactions: [0] }, { transactions: [1] }])
  expect([restore(0), restore(1)]).toEqual([first, second])
})

test('every response is the same as without leaving out transactions, once they are restored', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('transactions', '"transactions":[{', '{', '}', '\\'),
  )
  const address = fc.integer({ min: 1, max: 4 }).map(toAddress)
  const row = fc.dictionary(fc.oneof(text, fc.constant('from')), fc.oneof(text, address, fc.jsonValue()))
  const list = fc.oneof(fc.array(row), fc.array(fc.oneof(row, text)))
  const block = fc.record({ [`transactions`]: list, extra: fc.jsonValue(), text })
  fc.assert(
    fc.property(fc.array(fc.oneof(block, fc.jsonValue())), fc.constantFrom(0, 1, 4), (value, indent) => {
      const json = JSON.stringify(value, undefined, indent)
      const expected: unknown = JSON.parse(json)
      // A number in place of a transaction would stand in for another one.
      fc.pre(!/"transactions":\s*\[[^{"\]]/.test(json))
      const { parse, restore } = createSparseParser(followed)
      expect(restoreAll(parse(Buffer.from(json)), restore)).toEqual(expected)
    }),
  )
})

test.each([
  '',
  '{',
  '{"transactions":[{',
  '{"transactions":[{"a":"',
  '{"transactions":[{}',
  '{"transactions":[{"a":"\\',
  '[1',
  '"',
])('the text %j is no JSON', (text) => {
  expect(() => createSparseParser(followed).parse(Buffer.from(text))).toThrow(/JSON/)
})

/** With quadratic time, each of these takes minutes. */
test.each([
  ['millions of empty transactions', `{"transactions":[${'{},'.repeat(1_000_000)}{}]}`],
  ['lists in each other that never end', '{"transactions":['.repeat(300_000)],
])('a hostile response with %s takes linear time', (_what, text) => {
  const { parse } = createSparseParser(followed)
  if (text.endsWith('}')) expect(parse(Buffer.from(text))).toMatchObject({ transactions: { length: 1_000_001 } })
  else expect(() => parse(Buffer.from(text))).toThrow(/JSON/)
})
