import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../lib/root.mjs'
import { findBrokenLinks, linkReadme } from './linkReadme.mjs'

const packed = mkdtempSync(join(tmpdir(), 'latchkey-readme-'))
const folder = join(root, 'packages/a')
const text = `See [signing in](../../docs/sign-in.md#accounts), [the list](src/list.json), [events](src/events.ts) ([why](../b/README.md)).
![a picture](../../docs/a.png) [outside](https://example.org/a) [below](#below) [mail](mailto:a@example.org)`

beforeAll(() => {
  mkdirSync(join(packed, 'src'))
  writeFileSync(join(packed, 'src/list.json'), '[]')
})
afterAll(() => rmSync(packed, { recursive: true }))

test('links to files outside of a package become text if it names no repository', () => {
  expect(linkReadme(text, { folder, packed, manifest: {} })).toBe(`See signing in, [the list](src/list.json), events.
a picture [outside](https://example.org/a) [below](#below) [mail](mailto:a@example.org)`)
})

test.each([
  [{ url: 'git+https://git.example.org/owner/name.git' }, 'https://git.example.org/owner/name'],
  ['git://git.example.org/owner/name.git', 'https://git.example.org/owner/name'],
  ['owner/name', 'https://github.com/owner/name'],
])('links to files outside of a package lead to its repository %j', (repository, url) => {
  const lines = linkReadme(text, { folder, packed, manifest: { repository } })
  expect(lines)
    .toBe(`See [signing in](${url}/blob/HEAD/docs/sign-in.md#accounts), [the list](src/list.json), [events](${url}/blob/HEAD/packages/a/src/events.ts) ([why](${url}/blob/HEAD/packages/b/README.md)).
![a picture](${url}/blob/HEAD/docs/a.png) [outside](https://example.org/a) [below](#below) [mail](mailto:a@example.org)`)
})

test('finds relative links to files that are not packed', () => {
  expect(findBrokenLinks(text, ['src/list.json', 'README.md'])).toEqual([
    '../../docs/sign-in.md#accounts',
    'src/events.ts',
    '../b/README.md',
    '../../docs/a.png',
  ])
  expect(findBrokenLinks(linkReadme(text, { folder, packed, manifest: {} }), ['src/list.json'])).toEqual([])
})
