import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLatchkeyError, type WalletListEntry } from '@latchkey/protocol'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { parseWithSchema } from '../kit/config/parseWithSchema.ts'
import { readStoredIcons } from './icons/brandIcons.ts'
import { findDuplicateWallets, walletsSchema, type WalletFacts } from './walletFacts.ts'
import { readWalletList } from './walletList.ts'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-wallets-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Parses a file of wallets. */
function readOwn(text: string): readonly WalletFacts[] {
  const file = join(folder, 'wallets.json')
  writeFileSync(file, text)
  return readConfig({ WALLETS_FILE: file }).wallets
}

function problemsOf(wallets: readonly object[]): readonly string[] {
  try {
    readOwn(JSON.stringify(wallets))
  } catch (error) {
    if (isLatchkeyError(error, 'config/invalid')) return error.context.problems
    throw error
  }
  return []
}

function entriesOf(own: readonly WalletFacts[] = []): readonly WalletListEntry[] {
  const list = readWalletList({ developerWalletUrl: undefined, operatorWallets: own, chains: [] })
  return list.find({ page: 1, entries: 1_000 }).data
}

const reviewed: unknown = JSON.parse(readFileSync(new URL('wallets.json', import.meta.url), 'utf8'))
const mine = { slug: 'mine', name: 'My Wallet', homepage: 'https://wallet.example', namespaces: ['solana'] }

/** The sources of all facts, as scripts/icons/wallets/build-wallets.mjs writes them. */
const recorded = JSON.parse(
  readFileSync(new URL('../../../scripts/icons/wallets/walletSources.json', import.meta.url), 'utf8'),
) as {
  packages: Record<string, string>
  contradictions: readonly { wallet: string; fact: string; chosen: string; values: Record<string, string> }[]
  wallets: Record<string, Record<string, string>>
}
const namesOfWallets = ['slug', 'name', 'namespaces'] as const

test('wallet list has at least 400 unique wallets with valid links [R7.2.1]', () => {
  const wallets = parseWithSchema(walletsSchema, reviewed)
  expect(findDuplicateWallets(wallets)).toEqual([])
  expect(wallets.length).toBeGreaterThanOrEqual(400)
  expect(wallets.filter(({ homepage }) => homepage === undefined)).toEqual([])
  const links = wallets.flatMap(({ homepage = '', universal, webapp, chrome, ios, android }) =>
    [homepage, universal, webapp, chrome, ios, android].filter((link) => link !== undefined),
  )
  expect(links.filter((link) => !URL.canParse(link) || new URL(link).protocol !== 'https:')).toEqual([])
})

test('every listed wallet has a way to connect', () => {
  const wallets = parseWithSchema(walletsSchema, reviewed)
  const isConnectable = ({ rdns, mobile, desktop, webapp, universal, chrome }: WalletFacts): boolean =>
    [rdns, mobile, desktop, webapp, universal, chrome].some((way) => way !== undefined)
  expect(wallets.filter((wallet) => !isConnectable(wallet)).map(({ slug }) => slug)).toEqual([])
})

test('at least 95 % of the listed wallets have an icon of their own', () => {
  const wallets = parseWithSchema(walletsSchema, reviewed)
  const drawn = new Set(readStoredIcons('wallets').flatMap((icon) => icon.for))
  expect(wallets.filter(({ slug }) => drawn.has(slug)).length / wallets.length).toBeGreaterThanOrEqual(0.95)
})

test('every fact of a listed wallet has a source', () => {
  const sources = Object.keys(recorded.packages)
  for (const wallet of parseWithSchema(walletsSchema, reviewed)) {
    const facts = Object.keys(wallet).filter((key) => !namesOfWallets.some((name) => name === key))
    const stated = facts.map((fact) => recorded.wallets[wallet.slug]?.[fact]?.split(' ') ?? [])
    expect([wallet.slug, stated.every((names) => names.length > 0)]).toEqual([wallet.slug, true])
    expect(stated.flat().filter((name) => !sources.includes(name))).toEqual([])
  }
})

test('sources that contradict each other are recorded with the chosen value, two of which agree for OKX and Coin98', () => {
  const wallets = parseWithSchema(walletsSchema, reviewed)
  for (const { wallet, fact, chosen, values } of recorded.contradictions) {
    expect(wallets.find(({ slug }) => slug === wallet)).toMatchObject({ [fact]: chosen })
    expect(new Set(Object.values(values)).size).toBeGreaterThan(1)
  }
  expect(wallets.find(({ slug }) => slug === 'okx')?.mobile).toBe('okex://main')
  expect(recorded.wallets['okx']?.['mobile']).toBe('reviewed rainbowkit')
  expect(wallets.find(({ slug }) => slug === 'coin98')?.rdns).toBe('com.coin98')
  expect(recorded.wallets['coin98']?.['rdns']).toBe('rainbowkit thirdweb')
  expect(wallets.find(({ slug }) => slug === 'nova')?.rdns).toBe('io.novawallet')
  expect(recorded.wallets['nova']?.['mobile']?.split(' ').length).toBeGreaterThanOrEqual(2)
})

test('wallet list covers every namespace', () => {
  const namespaces = new Set(parseWithSchema(walletsSchema, reviewed).flatMap((wallet) => wallet.namespaces))
  expect([...namespaces].toSorted()).toEqual(['bip122', 'eip155', 'polkadot', 'solana'])
})

test('wallet list keeps ids and order', () => {
  const ids = entriesOf()
    .slice(0, 59)
    .map(({ id }) => id)
  const digest = createHash('sha256').update(ids.join()).digest('hex')
  expect(digest).toBe('e0d3351398f1d28cef78832737289b0e075e7747f4123d89077cb6d33c56b6db')
})

test("operator's wallet is added at the end, or replaces the one with its slug", () => {
  const before = entriesOf()
  const after = entriesOf(
    readOwn(JSON.stringify([mine, { slug: 'rainbow', name: 'Our Rainbow', namespaces: ['eip155'] }])),
  )
  expect(after).toHaveLength(before.length + 1)
  expect(after.at(-1)).toMatchObject({ name: 'My Wallet', homepage: 'https://wallet.example' })
  const place = before.findIndex(({ name }) => name === 'Rainbow')
  expect(after[place]).toMatchObject({ id: before[place]?.id, name: 'Our Rainbow' })
  expect(after[place]?.mobile_link).toBeUndefined()
})

test('wallet file with several errors reports all of them', () => {
  const bad = {
    slug: 'No Slug',
    name: ' ',
    homepage: 'http://wallet.example',
    rdns: 'wallet',
    namespaces: ['cosmos'],
    mobile: 'javascript:alert(1)',
    ios: 'https://store.example',
  }
  expect(problemsOf([mine, bad, { ...mine, slug: 'other', hompage: 'https://wallet.example' }])).toEqual([
    'WALLETS_FILE.1.slug: must be like my-wallet',
    'WALLETS_FILE.1.name: must be at most 40 characters, words with one space between',
    'WALLETS_FILE.1.homepage: must begin with https://',
    'WALLETS_FILE.1.rdns: must be like com.example.wallet',
    'WALLETS_FILE.1.namespaces.0: must be of: eip155, solana, polkadot, bip122',
    'WALLETS_FILE.1.mobile: must be like wallet://',
    'WALLETS_FILE.1.ios: must begin with https://apps.apple.com/',
    'WALLETS_FILE.2.hompage: is not a known key',
  ])
})

test.each(['slug', 'name', 'rdns'] as const)('wallet file with a duplicate %s is rejected', (key) => {
  const first = { ...mine, rdns: 'example.wallet' }
  const second = { ...mine, slug: 'other', name: 'Other', rdns: 'example.other', [key]: first[key] }
  expect(problemsOf([first, second])).toEqual([`WALLETS_FILE.1.${key}: is there twice`])
})

test('wallet file that is missing or not JSON is rejected', () => {
  const file = join(folder, 'none.json')
  expect(() => readConfig({ WALLETS_FILE: file })).toThrow(`WALLETS_FILE: ${file} cannot be read`)
  expect(() => readOwn('[')).toThrow('WALLETS_FILE: is not JSON')
})
