import { expect, test } from 'vitest'
import { rewriteLinks } from './rewriteLinks.ts'

const resolve = (target: string): string | undefined =>
  new Map([
    ['docs/hooks.md', '/hooks'],
    ['packages/vue/README.md', '/packages/vue'],
    ['docs/pictures/a.webp', '/pictures/a.webp'],
  ]).get(target)

test.each([
  ['[Hooks](../docs/hooks.md#actions)', '[Hooks](/hooks#actions)'],
  ['![A picture](../docs/pictures/a.webp)', '![A picture](/pictures/a.webp)'],
  ['[elsewhere](https://example.org/a.md)', '[elsewhere](https://example.org/a.md)'],
  ['[below](#below)', '[below](#below)'],
  ['[the layers](../scripts/layers.mjs)', 'the layers (`scripts/layers.mjs`)'],
  ['[`layers.mjs`](../scripts/layers.mjs)', '`layers.mjs`'],
])('the link %s becomes %s', (link, expected) => {
  expect(rewriteLinks(`See ${link}.`, 'server/README.md', resolve)).toBe(`See ${expected}.`)
})

test('code blocks keep their text', () => {
  const code = '```md\n[Hooks](../docs/hooks.md)\n```'
  expect(rewriteLinks(code, 'server/README.md', resolve)).toBe(code)
})
