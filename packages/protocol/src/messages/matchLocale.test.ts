import { expect, test } from 'vitest'
import { matchLocale, textDirection } from './matchLocale.ts'

const available = ['en', 'de', 'pt', 'id', 'zh-CN', 'zh-TW', 'ar'] as const

test.each([
  [['de-AT'], 'de'],
  [['DE-latn-ch'], 'de'],
  [['tlh', 'pt-BR', 'de'], 'pt'],
  [['in'], 'id'],
  [['zh'], 'zh-CN'],
  [['zh-SG'], 'zh-CN'],
  [['zh-HK'], 'zh-TW'],
  [['zh-Hant'], 'zh-TW'],
  [['en-XA', 'de'], 'en'],
  [['toString', 'not a tag', ''], 'en'],
  [[], 'en'],
])('matchLocale, given %j, returns %s', (requested, locale) => {
  expect(matchLocale(requested, available)).toBe(locale)
})

test.each([
  ['ar', 'rtl'],
  ['he', 'rtl'],
  ['fa-IR', 'rtl'],
  ['de', 'ltr'],
  ['not a tag', 'ltr'],
])('textDirection of %s is %s', (locale, direction) => {
  expect(textDirection(locale)).toBe(direction)
})
