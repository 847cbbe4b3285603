import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { codeLifetimeMs } from '../auth/login/codes.ts'
import { mailHtml } from '../custody/mail/mailHtml.ts'
import { linkPage } from '../custody/pages/linkPage.ts'
import type { RequestFacts } from './formatRequest.ts'
import { locales, type Locale } from './generated/index.ts'
import { loadServerWords, type ServerWords } from './loadServerWords.ts'
import { codeMail, contactChangeMail, deletionMail, linkMail, noticeMail, policyMail, type MailText } from './mails.ts'

const facts: RequestFacts = {
  origin: 'https://app.example.org',
  browser: 'Firefox on Linux',
  place: 'DE/Berlin',
  at: Date.UTC(2026, 10, 23, 12, 44),
}
const code = '123456'
const link = 'https://wallet.example/page?id=1&secret=2'
const email = 'new@example.net'

function allMails(words: ServerWords): Record<string, MailText> {
  return {
    login: codeMail(words, code, facts, { purpose: 'login' }),
    primary: codeMail(words, code, facts, { purpose: 'update-primary', newEmail: email }),
    secondary: codeMail(words, code, facts, { purpose: 'update-secondary' }),
    exportCode: codeMail(words, code, facts, { purpose: 'step-up-export' }),
    deletionCode: codeMail(words, code, facts, { purpose: 'step-up-delete' }),
    approval: linkMail(words, 'approvalMail', link, facts),
    changed: linkMail(words, 'emailChangedMail', link, facts),
    device: linkMail(words, 'newDeviceMail', link, facts),
    contact: contactChangeMail(words, { email, at: facts.at, link }, facts),
    exported: noticeMail(words, 'exportMail', facts),
    removed: noticeMail(words, 'deviceRemovedMail', facts),
    deletion: deletionMail(words, link, facts.at, facts, 'first'),
    reminder: deletionMail(words, link, facts.at, facts, 'second'),
    confirmation: linkMail(words, 'contactConfirmationMail', link, facts),
    policy: policyMail(words, link, facts.at, facts),
  }
}

test.each([
  ['login', 'Log in: 123456'],
  ['primary', 'Confirm the change of your email address: 123456'],
  ['secondary', 'Confirm your new email address: 123456'],
  ['exportCode', 'Confirm that you want to see the keys of your wallet: 123456'],
  ['deletionCode', 'Confirm that you want to delete your wallet: 123456'],
])('the subject of a code for %s states the purpose [C-02]', async (name, subject) => {
  const mail = allMails(await loadServerWords('en'))[name]
  expect(mail?.subject).toBe(subject)
  expect(mail?.text.includes('It is not a code to log in.')).toBe(name !== 'login')
})

test('the code for a change of address names the new address [C-02]', async () => {
  expect(allMails(await loadServerWords('en'))['primary']?.text).toContain('from this address to new@example.net')
})

describe.each(locales)('in %s', (locale: Locale) => {
  test('the mails and the modal state how long a code is valid', async () => {
    const minutes = new RegExp(`(?<!\\d)${codeLifetimeMs / 60_000}(?!\\d)`)
    const modal = new URL(`../../../packages/modal/messages/${locale}.json`, import.meta.url)
    expect(JSON.parse(await readFile(modal, 'utf8')).login.codeHint).toMatch(minutes)
    const mails = allMails(await loadServerWords(locale))
    for (const name of ['login', 'primary', 'secondary', 'exportCode', 'deletionCode'])
      expect(mails[name]?.text).toMatch(minutes)
  })

  test('each mail states its purpose, the approximate place and the time with its zone [C-02] [C-03]', async () => {
    const words = await loadServerWords(locale)
    const mails = allMails(words)
    expect(new Set(Object.values(mails).map(({ subject }) => subject)).size).toBe(Object.keys(mails).length)
    for (const { text, language } of Object.values(mails)) {
      expect(language).toBe(locale)
      expect(text).toContain('Berlin')
      expect(text).toContain(words.linkPage.place)
      expect(text).toMatch(/UTC|العالمي/)
    }
  })

  test('no text is missing or left in English [C-03]', async () => {
    const [words, english] = [await loadServerWords(locale), await loadServerWords('en')]
    const [texts, originals] = [allMails(words), allMails(english)]
    for (const [name, { subject, text }] of Object.entries(texts)) {
      expect(subject === originals[name]?.subject).toBe(locale === 'en')
      expect(text === originals[name]?.text).toBe(locale === 'en')
    }
  })
})

test('an Arabic mail and an Arabic page are written from right to left, with isolated values [C-03]', async () => {
  const words = await loadServerWords('ar')
  const { text } = codeMail(words, code, facts, { purpose: 'login' })
  expect(text).toContain('\u2068https://app.example.org\u2069')
  expect(mailHtml(text, 'ar')).toContain('<html lang="ar" dir="rtl">')
  expect(linkPage(words, 'x', '')).toContain('<html lang="ar" dir="rtl">')
})

test('a mail’s HTML shows hostile facts as text and links to the given address only', async () => {
  const words = await loadServerWords('en')
  const hostile = { ...facts, origin: 'https://a.example/<img src=x>', browser: '"><script>' }
  const html = mailHtml(linkMail(words, 'approvalMail', link, hostile).text, 'en')
  expect(html).not.toMatch(/<img|<script/)
  expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([link.replace('&', '&amp;')])
})

test.each([
  ['', 'unknown'],
  ['local', 'a local network'],
  ['DE', 'Germany'],
  ['DE/Berlin', 'Berlin, Germany'],
])('the place %j is shown as %s [C-03]', async (place, shown) => {
  const { text } = codeMail(await loadServerWords('en'), code, { ...facts, place }, { purpose: 'login' })
  expect(text).toContain(`Approximate location: ${shown}\n`)
})
