import { expect, test } from 'vitest'
import { createSpeech } from './createSpeech.ts'
import { englishWords, type Words } from './loadWords.ts'

const german: Words = { ...englishWords, locale: 'de' }
const arabic: Words = { ...englishWords, locale: 'ar', direction: 'rtl' }

/** Creates the attributes of the document's element that are set. */
const anElement = () => ({ lang: '', dir: '' }) as HTMLElement

test('what was asked last is spoken, also when a language that was asked before arrives later', async () => {
  const root = anElement()
  const arrivals: Array<(words: Words) => void> = []
  const speech = createSpeech(() => new Promise((resolve) => void arrivals.push(resolve)), root)
  expect(speech.words()).toBe(englishWords)
  const [ofBrowser, getForPage] = [speech.speak(['de']), speech.speak(['en', 'de'])]
  arrivals[1]?.(englishWords)
  await getForPage
  arrivals[0]?.(german)
  await ofBrowser
  expect([speech.words(), root.lang, root.dir]).toEqual([englishWords, 'en', 'ltr'])
})

test('the document says which language it is in, and where it begins', async () => {
  const root = anElement()
  const speech = createSpeech(async () => arabic, root)
  await speech.speak(['ar'])
  expect([speech.words(), root.lang, root.dir]).toEqual([arabic, 'ar', 'rtl'])
})
