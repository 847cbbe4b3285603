import { expect, test } from 'vitest'
import { buttonTexts } from './buttons.ts'
import { languageFor } from './languages.ts'
import { locales } from './locales.ts'

test.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['DE-latn-ch', 'de'],
  ['pt-BR', 'pt'],
  ['zh', 'zh-CN'],
  ['zh-SG', 'zh-CN'],
  ['zh-HK', 'zh-TW'],
  ['zh-Hant', 'zh-TW'],
  ['in', 'id'],
  ['en-XA', 'en'],
  ['tlh', 'en'],
  ['', 'en'],
  ['not a tag', 'en'],
  ['toString', 'en'],
])('%s is spoken as %s', (asked, locale) => {
  expect(languageFor(asked).locale).toBe(locale)
})

test('auto takes the first of the browser’s languages that there is', () => {
  expect(languageFor('auto', ['tlh', 'de-AT', 'en']).locale).toBe('de')
  expect(languageFor('auto', ['en-GB', 'de']).locale).toBe('en')
  expect(languageFor('auto', []).locale).toBe('en')
})

test('what is written from right to left is', () => {
  const turned = Object.keys(buttonTexts).filter((locale) => languageFor(locale).direction === 'rtl')
  expect(turned).toEqual(['ar'])
})

test('every language of the buttons is one of the modal', () => {
  expect(['en', ...Object.keys(locales)].toSorted()).toEqual(Object.keys(buttonTexts).toSorted())
})

test('the buttons speak every language, each text its own', () => {
  for (const [locale, { button, networkButton, walletButton }] of Object.entries(buttonTexts)) {
    const said = [...Object.values(button), ...Object.values(networkButton), ...Object.values(walletButton)]
    expect([locale, said.filter((text) => text.trim() === '')]).toEqual([locale, []])
    expect(new Set(said).size).toBeGreaterThanOrEqual(7)
  }
})
