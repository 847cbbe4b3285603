import { expect, test } from 'vitest'
import { plural, pluralRule } from './plural.ts'

const wallets = { one: 'кошелёк', few: 'кошелька', other: 'кошельков' }

test.each([
  [0, 'кошельков'],
  [1, 'кошелёк'],
  [2, 'кошелька'],
  [5, 'кошельков'],
  [11, 'кошельков'],
  [21, 'кошелёк'],
  [100, 'кошельков'],
])('plural picks the Russian form for %i', (count, form) => {
  expect(plural(count, 0, pluralRule('ru'), wallets)).toBe(form)
})

test('plural picks all six Arabic forms', () => {
  const forms = { zero: 'zero', one: 'one', two: 'two', few: 'few', many: 'many', other: 'other' }
  const picked = [0, 1, 2, 3, 11, 100].map((count) => plural(count, 0, pluralRule('ar'), forms))
  expect(picked).toEqual(['zero', 'one', 'two', 'few', 'many', 'other'])
})

test('plural prefers an exact number over a category', () => {
  expect(plural(1, 0, pluralRule('en'), { 1: 'exactly one', one: 'one', other: 'other' })).toBe('exactly one')
})

test('plural subtracts the offset before it picks a category', () => {
  expect(plural(2, 1, pluralRule('en'), { one: 'one more', other: 'more' })).toBe('one more')
})

test('plural falls back to the form `other`', () => {
  expect(plural(3, 0, pluralRule('ru'), { other: 'кошельков' })).toBe('кошельков')
})
