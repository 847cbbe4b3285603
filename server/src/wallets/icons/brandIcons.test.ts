import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { brandIconFiles, readBrandIcons, readStoredIcons } from './brandIcons.ts'

const kinds = ['networks', 'tokens', 'wallets'] as const
/** Markup that could run code or load something. */
const unsafe =
  /<script|<foreignObject|<style|\son\w+=|href=["'](?!#|data:image\/)|url\((?!["']?#)|javascript:|<!ENTITY/i

test.each(kinds)('%s have a source, a unique key and a small, safe drawing', (kind) => {
  const icons = readStoredIcons(kind)
  const keys = icons.flatMap((icon) => icon.for)
  expect(new Set(keys).size).toBe(keys.length)
  for (const { id, source, svg, webp } of icons) {
    expect([id, source]).toEqual([id, expect.stringMatching(/^(?:@[\w-]+\/)?[\w-]+@\d+\.\d+\.\d+ \S+$/)])
    if (svg === undefined) {
      expect(Buffer.from(webp ?? '', 'base64').toString('latin1', 8, 12)).toBe('WEBP')
      continue
    }
    expect(svg).toMatch(/^<svg width='80' height='80'/)
    expect([id, unsafe.exec(svg)?.[0]]).toEqual([id, undefined])
  }
})

test('no data file is larger than 1 MB', () => {
  const files = kinds.flatMap((kind) => brandIconFiles[kind])
  const sizes = files.map((file) => readFileSync(new URL(file, import.meta.url)).length)
  expect(Math.max(...sizes)).toBeLessThan(1_000_000)
})

test('200 networks and 1,700 tokens have icons, and the data files have about 1 MB when compressed', () => {
  const count = (kind: (typeof kinds)[number]): number => readStoredIcons(kind).flatMap((icon) => icon.for).length
  expect(count('networks')).toBeGreaterThanOrEqual(200)
  expect(count('tokens')).toBeGreaterThanOrEqual(1_700)
  const files = kinds.flatMap((kind) => brandIconFiles[kind])
  const compressed = files.map((file) => gzipSync(readFileSync(new URL(file, import.meta.url))).length)
  expect(compressed.reduce((sum, length) => sum + length, 0)).toBeLessThan(1_050_000)
})

test('every wallet icon belongs to a listed wallet, and the ten first wallets have icons', () => {
  const list = JSON.parse(readFileSync(new URL('../wallets.json', import.meta.url), 'utf8')) as { slug: string }[]
  const slugs = list.map(({ slug }) => slug)
  const drawn = readStoredIcons('wallets').flatMap((icon) => icon.for)
  expect(drawn.filter((slug) => !slugs.includes(slug))).toEqual([])
  expect(slugs.slice(0, 10).filter((slug) => !drawn.includes(slug))).toEqual([])
})

test.each([
  'eip155:1',
  'eip155:10',
  'eip155:56',
  'eip155:100',
  'eip155:137',
  'eip155:324',
  'eip155:8453',
  'eip155:42161',
  'eip155:42220',
  'eip155:43114',
  'eip155:59144',
  'eip155:534352',
  'eip155:11155111',
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  'bip122:000000000019d6689c085ae165831e93',
  'polkadot:91b171bb158e2d3848fa23a9f1c25182',
])('well-known network %s has an icon', (chain) => {
  expect(readBrandIcons().find('networks', chain)?.type).toBe('image/svg+xml')
})
