import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { locales } from '../../messages/generated/index.ts'
import { loadServerWords } from '../../messages/loadServerWords.ts'
import { formatActionLink, parseActionLinkFacts } from './actionLink.ts'
import { serveLinkedAction } from './linkedAction.ts'

const facts = { browser: 'Firefox on Linux', place: 'DE/Berlin', at: Date.UTC(2026, 10, 23, 12, 44) }
const link = { id: 'one', secret: 'two' }
const page = 'https://auth.example/kept'
const actions = ['revertPage', 'keepWalletPage', 'stopPage', 'policyStopPage', 'removeDevicePage'] as const

const queryOf = (url: string): Record<string, string> => Object.fromEntries(new URL(url).searchParams)

async function openPage(name: (typeof actions)[number], query: Record<string, string>, language: string) {
  const app = Fastify({ logger: false })
  onTestFinished(() => app.close())
  serveLinkedAction(app, {
    path: '/kept',
    texts: (words) => words[name],
    isValid: async ({ id, secret }) => id === link.id && secret === link.secret,
    perform: async () => true,
  })
  const { body } = await app.inject({ url: '/kept', query, headers: { 'accept-language': language } })
  return body
}

test.each(locales)('the pages of links show browser, country and time of the request in %s [C-03]', async (locale) => {
  const words = await loadServerWords(locale)
  const country = new Intl.DisplayNames(locale, { type: 'region' }).of('DE') ?? ''
  for (const name of actions) {
    const shown = await openPage(name, queryOf(formatActionLink(page, link, facts)), locale)
    for (const text of ['Firefox', 'Linux', country, words.linkPage.place, words.linkPage.time])
      expect(shown).toContain(text)
    expect(shown).toContain('2026')
  }
})

test('a page of an invalid link shows nothing of it', async () => {
  const shown = await openPage('stopPage', { ...queryOf(formatActionLink(page, link, facts)), secret: 'x' }, 'en')
  expect(shown).toContain('This link is no longer valid')
  expect(shown).not.toContain('Germany')
})

test('a link of an earlier version opens the page without a request', async () => {
  const shown = await openPage('stopPage', link, 'en')
  expect(shown).toContain('Stop the change')
  expect(shown).not.toContain('<dl>')
})

test('a page shows no text that someone wrote into the link of an own account [C-03]', async () => {
  const text = 'Call +1 555 0100 now'
  const shown = await openPage('stopPage', { ...link, browser: text, place: `DE/${text}`, at: '0' }, 'en')
  expect(shown).not.toContain('555')
  expect(shown).toContain('an unknown browser')
  const crafted = { ...link, browser: '<img src=x> Firefox on Linux', at: '0' }
  for (const at of ['', 'x', '-1', '1.5', '9e15', 'Infinity'])
    expect(parseActionLinkFacts({ ...crafted, at })).toBeUndefined()
  for (const place of ['de', 'D', 'DE/', 'DE/Berlin', '\u0000', 'DEU'])
    expect(parseActionLinkFacts({ ...crafted, place })).toEqual({ browser: 'Firefox on Linux', at: 0 })
})

test('a request without a known place is unknown there, and one without places names none', () => {
  expect(parseActionLinkFacts(queryOf(formatActionLink(page, link, { ...facts, place: undefined })))).toEqual({
    browser: facts.browser,
    at: facts.at,
  })
  expect(parseActionLinkFacts(queryOf(formatActionLink(page, link, { ...facts, place: '' })))).toEqual({
    ...facts,
    place: '',
  })
})
