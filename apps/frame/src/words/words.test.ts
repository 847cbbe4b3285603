import { describe, expect, test } from 'vitest'
import { gapsOf } from '../testing/gapsOf.ts'
import { english } from './english.ts'
import { locales } from './locales.ts'
import { englishWords, loadWords } from './words.ts'

describe.each(Object.entries(locales))('%s', (_, load) => {
  test('says everything that English says, and names what it is told', async () => {
    expect(gapsOf(english, (await load()).texts)).toEqual([])
  })

  test('says it in its own words', async () => {
    const { texts } = await load()
    expect(textsOf(texts).filter((text) => text.length > 24 && textsOf(english).includes(text))).toEqual([])
  })
})

test('a text that is missing, empty, or forgets what it was told is found', () => {
  const { title: _, ...consent } = english.consent
  const texts = { ...english, consent, ways: { ...english.ways, title: ' ', removeOf: () => 'Remove' } }
  expect(gapsOf(english, texts)).toEqual(['consent.title', 'ways.title', 'ways.removeOf'])
})

test.each([
  [['de-AT', 'en'], 'de', 'ltr'],
  [['tlh', 'pt-BR'], 'pt', 'ltr'],
  [['zh-HK'], 'zh-TW', 'ltr'],
  [['zh'], 'zh-CN', 'ltr'],
  [['ar-EG'], 'ar', 'rtl'],
  [['en-GB', 'de'], 'en', 'ltr'],
  [['toString', 'not a tag', ''], 'en', 'ltr'],
  [[], 'en', 'ltr'],
])('who asks for %j is answered in %s', async (asked, locale, direction) => {
  expect(await loadWords(asked)).toMatchObject({ locale, direction })
})

test('who asks for English gets it without anything being fetched', async () => {
  expect(await loadWords(['en'])).toBe(englishWords)
})

function textsOf(texts: object): readonly string[] {
  return Object.values(texts).flatMap((text: unknown) => {
    if (typeof text === 'string') return [text]
    return typeof text === 'object' && text !== null ? textsOf(text) : []
  })
}
