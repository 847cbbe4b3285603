import { expect, test } from 'vitest'
import { mailHtml } from './mailHtml.ts'

const link = 'https://auth.example.org/page?id=1&secret=2'
const text = `Enter this code:\n\n123456\n\nApp: https://app.example\nBrowser: Firefox\n\n${link}\n\nIgnore it otherwise.`

test('the HTML part of a mail has a code, its details and a link in the look of the product', () => {
  const html = mailHtml(text, 'en')
  expect(html).toMatch(/<p class="code"[^>]*>123456<\/p>/)
  expect(html).toMatch(/<p class="details"[^>]*>App: https:\/\/app\.example<br>Browser: Firefox<\/p>/)
  expect(html).toContain(`href="${link.replace('&', '&amp;')}"`)
  expect(html).toContain('prefers-color-scheme:dark')
})

test('the HTML part of a mail loads nothing and runs nothing', () => {
  expect(mailHtml(text, 'en')).not.toMatch(/<img|<script|<link|url\(|@import|src=/i)
})

test.each(['<img src=x onerror=alert(1)>', '"><script>alert(1)</script>', '</style><b>', "' onload='x", '&lt;b&gt;'])(
  'a name like %s is shown as text in the HTML part of a mail',
  (name) => {
    const harmless = mailHtml('App: name\nBrowser: name', 'en')
    const hostile = mailHtml(`App: ${name}\nBrowser: ${name}`, 'en')
    const tags = (html: string): readonly string[] => html.match(/<[^>]*>/g) ?? []
    expect(tags(hostile)).toEqual(tags(harmless))
  },
)
