import { expect, test } from 'vitest'
import { buttonsTranslations, modalMessages } from '@latchkey/modal/messages'
import { getLanguage } from './getLanguage.ts'

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
])('getLanguage maps %s to %s', (tag, locale) => {
  expect(getLanguage(tag).locale).toBe(locale)
})

test('getLanguage with `auto` returns the first available language of the browser', () => {
  expect(getLanguage('auto', ['tlh', 'de-AT', 'en']).locale).toBe('de')
  expect(getLanguage('auto', ['en-GB', 'de']).locale).toBe('en')
  expect(getLanguage('auto', []).locale).toBe('en')
})

test('right-to-left languages have their direction', () => {
  const turned = Object.keys(buttonsTranslations).filter((locale) => getLanguage(locale).direction === 'rtl')
  expect(turned).toEqual(['ar'])
})

test('the buttons and the modal have the same languages', () => {
  expect(['en', ...Object.keys(modalMessages.translations)].toSorted()).toEqual(
    Object.keys(buttonsTranslations).toSorted(),
  )
})

test('the buttons have all texts in every language', () => {
  for (const [locale, { button, networkButton, walletButton }] of Object.entries(buttonsTranslations)) {
    const messages = [...Object.values(button), ...Object.values(networkButton), ...Object.values(walletButton)]
    expect([locale, messages.filter((text) => text.trim() === '')]).toEqual([locale, []])
    expect(new Set(messages).size).toBeGreaterThanOrEqual(7)
  }
})
