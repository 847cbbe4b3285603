import { expect, test } from 'vitest'
import { createSpeech } from './createSpeech.ts'
import { englishMessages, type Messages } from './loadFrameMessages.ts'

const german: Messages = { ...englishMessages, locale: 'de' }
const arabic: Messages = { ...englishMessages, locale: 'ar', direction: 'rtl' }

/** Creates the attributes of the document's element that are set. */
const createElement = () => ({ lang: '', dir: '' }) as HTMLElement

test('the last requested language is used, even if an earlier request finishes later', async () => {
  const root = createElement()
  const arrivals: Array<(messages: Messages) => void> = []
  const speech = createSpeech(() => new Promise((resolve) => void arrivals.push(resolve)), root)
  expect(speech.messages()).toBe(englishMessages)
  const [ofBrowser, getForPage] = [speech.speak(['de']), speech.speak(['en', 'de'])]
  arrivals[1]?.(englishMessages)
  await getForPage
  arrivals[0]?.(german)
  await ofBrowser
  expect([speech.messages(), root.lang, root.dir]).toEqual([englishMessages, 'en', 'ltr'])
})

test('the document says which language it is in, and where it begins', async () => {
  const root = createElement()
  const speech = createSpeech(async () => arabic, root)
  await speech.speak(['ar'])
  expect([speech.messages(), root.lang, root.dir]).toEqual([arabic, 'ar', 'rtl'])
})
