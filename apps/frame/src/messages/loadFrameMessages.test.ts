import { describe, expect, test } from 'vitest'
import { gapsOf } from '../testing/gapsOf.ts'
import { frameMessages } from './generated/index.ts'
import { englishMessages, loadFrameMessages } from './loadFrameMessages.ts'

const { english, translations } = frameMessages

describe.each(Object.entries(translations))('%s', (_, load) => {
  test('has every text that English has, with the same arguments', async () => {
    expect(gapsOf(english, (await load?.())?.translation)).toEqual([])
  })

  test('leaves no long text in English', async () => {
    const { translation = {} } = (await load?.()) ?? {}
    expect(textsOf(translation).filter((text) => text.length > 24 && textsOf(english).includes(text))).toEqual([])
  })
})

test('a text that is missing, empty or lacks an argument is a gap', () => {
  const { title: _, ...consent } = english.consent
  const texts = {
    ...english,
    consent,
    recoveryMethods: { ...english.recoveryMethods, title: ' ', removeOf: () => 'Remove' },
  }
  expect(gapsOf(english, texts)).toEqual(['consent.title', 'recoveryMethods.title', 'recoveryMethods.removeOf'])
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
])('loadFrameMessages loads for %j the language %s', async (preferred, locale, direction) => {
  expect(await loadFrameMessages(preferred)).toMatchObject({ locale, direction })
})

test('loadFrameMessages fetches nothing for English', async () => {
  expect(await loadFrameMessages(['en'])).toBe(englishMessages)
})

function textsOf(texts: object): readonly string[] {
  return Object.values(texts).flatMap((text: unknown) => {
    if (typeof text === 'string') return [text]
    return typeof text === 'object' && text !== null ? textsOf(text) : []
  })
}
