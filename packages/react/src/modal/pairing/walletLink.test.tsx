import { expect, test } from 'vitest'
import { isWebLink, walletLink } from './walletLink.ts'

test.each([
  ['https://rainbow.invalid', 'https://rainbow.invalid/wc?uri=wc%3A1%402'],
  ['https://go.invalid/app/', 'https://go.invalid/app/wc?uri=wc%3A1%402'],
  ['rainbow://', 'rainbow://wc?uri=wc%3A1%402'],
  ['rainbow:', 'rainbow://wc?uri=wc%3A1%402'],
  ['rainbow', 'rainbow://wc?uri=wc%3A1%402'],
])('%s becomes %s', (link, opened) => {
  expect(walletLink(link, 'wc:1@2')).toBe(opened)
})

test.each(['javascript:alert(1)//', ' JavaScript:alert(1)', 'data:text/html,x', 'blob:x', 'file:///x', '', '//host'])(
  'the link %s of a wallet list is ignored',
  (link) => {
    expect(walletLink(link, 'wc:1@2')).toBeUndefined()
  },
)

test('only a web address opens a tab', () => {
  expect([isWebLink('https://a.invalid'), isWebLink('rainbow://')]).toEqual([true, false])
})
