import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { linkPage, linkPageHeaders } from './linkPage.ts'

const english = { locale: 'en', direction: 'ltr' } as const
const page = linkPage(english, 'A <b>title</b>', '<p>Text</p>', 'close()')
const policy = linkPageHeaders('close()')['content-security-policy'] ?? ''

function hashOf(element: 'script' | 'style'): string {
  const [, content = ''] = new RegExp(`<${element}>(.*?)</${element}>`, 's').exec(page) ?? []
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
}

test('the policy of a page allows exactly its own style sheet and script, by hash', () => {
  expect(policy).not.toContain('unsafe-inline')
  expect(policy).toContain(`style-src ${hashOf('style')};`)
  expect(policy).toContain(`script-src ${hashOf('script')};`)
  expect(linkPageHeaders()['content-security-policy']).not.toContain('script-src')
})

test('a page has no attribute that its policy blocks, and its title is text', () => {
  expect(page).not.toMatch(/ style=| on\w+=/)
  expect(page).toContain('<h1>A &lt;b&gt;title&lt;/b&gt;</h1>')
})

test('a page requests no icon, which its policy would block', () => {
  expect(page).toContain('<link rel="icon" href="data:,">')
  expect(policy).toContain('img-src data:;')
})

test('a page supports light and dark, forced colours and safe areas', () => {
  expect(page).toContain('color-scheme:light dark')
  expect(page).toContain('forced-colors:active')
  expect(page).toContain('viewport-fit=cover')
})
