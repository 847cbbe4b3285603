import type { WalletListPage } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import type { Chain } from '../kit/chain/chains.ts'
import { mountEndpoints } from '../kit/http/defineEndpoint.ts'
import { createHttp } from '../kit/http/createHttp.ts'
import { createProjects } from '../kit/http/projects.ts'
import { createAnalyticsConfigEndpoint, createWalletListEndpoint } from './walletListEndpoint.ts'
import { readWalletList } from './walletList.ts'

const chain: Chain = {
  caipNetworkId: 'eip155:31337',
  name: 'Local world',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: ['http://127.0.0.1:1'],
  tokens: [{ address: `0x${'00'.repeat(20)}`, name: 'Test Dollar', symbol: 'TUSD', decimals: 6 }],
}
const wallets = readWalletList({ developerWalletUrl: 'http://127.0.0.1:4601', chains: [chain.caipNetworkId] })
const app = await createHttp({ logLevel: 'silent', projects: createProjects('any') })
mountEndpoints(app, [createWalletListEndpoint({ wallets }), createAnalyticsConfigEndpoint()], () => {})

async function list(query: Record<string, string>): Promise<WalletListPage> {
  const response = await app.inject(`/getWallets?${new URLSearchParams(query)}`)
  return response.json()
}

async function listAll(query: Record<string, string>): Promise<WalletListPage['data']> {
  const first = await list({ ...query, entries: '100' })
  const pages = Array.from({ length: Math.ceil(first.count / 100) - 1 }, (_, index) => String(index + 2))
  const rest = await Promise.all(pages.map((page) => list({ ...query, entries: '100', page })))
  return [first, ...rest].flatMap(({ data }) => data)
}

const namesOf = ({ data }: WalletListPage): readonly string[] => data.map(({ name }) => name)

test('getWallets pages contain every wallet once, developer wallet first [R7.2.1]', async () => {
  const numbers = Array.from({ length: 15 }, (_, index) => String(index + 1))
  const pages = await Promise.all(numbers.map((page) => list({ page, entries: '40' })))
  const [first = { data: [], count: 0 }, second] = pages
  expect(first.data[0]).toMatchObject({ name: 'Latchkey Developer Wallet', webapp_link: 'http://127.0.0.1:4601' })
  expect(first.data).toHaveLength(40)
  expect(second?.count).toBe(first.count)
  const ids = pages.flatMap(({ data }) => data.map(({ id }) => id))
  expect(ids).toHaveLength(first.count)
  expect(new Set(ids).size).toBe(ids.length)
  expect(await list({ page: '99' })).toEqual({ data: [], count: first.count })
})

test('search matches part of a name, case-insensitively [R7.2.1]', async () => {
  expect(namesOf(await list({ search: ' rAInb ' }))).toEqual(['Rainbow'])
  expect(await list({ search: 'no such wallet' })).toEqual({ data: [], count: 0 })
})

test('include and exclude combine with each other and with a search [R7.2.1]', async () => {
  const { data } = await list({ search: 'wallet', entries: '3' })
  const [a = '', b = '', c = ''] = data.map(({ id }) => id)
  expect((await list({ include: `${a},${b},${c}`, exclude: b, search: 'wallet' })).data.map(({ id }) => id)).toEqual([
    a,
    c,
  ])
})

test("chains filter matches the wallets of a network's namespace, configured networks included [R7.2.1]", async () => {
  const polkadot = await list({ chains: 'polkadot:91b171bb158e2d3848fa23a9f1c25182', entries: '100' })
  expect(namesOf(polkadot)).toContain('polkadot{.js}')
  expect(namesOf(polkadot)).not.toContain('MetaMask')
  const local = await list({ chains: 'eip155:31337', entries: '100' })
  expect(local.data.every(({ chains }) => chains.includes('eip155:31337'))).toBe(true)
  expect((await list({ chains: '' })).count).toBe((await list({})).count)
})

test('getWallets finds installed wallets by name or reverse-DNS name', async () => {
  expect(namesOf(await list({ names: 'Rainbow', rdns: 'io.metamask' }))).toEqual(['MetaMask', 'Rainbow'])
})

const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1'

test('getWallets lists wallets that the device can open first, without changing the count', async () => {
  const isOpenable = (wallet: WalletListPage['data'][number]): boolean =>
    [wallet.mobile_link, wallet.link_mode, wallet.webapp_link].some((link) => link !== undefined)
  const [any, ios, android] = await Promise.all([
    listAll({}),
    listAll({ platform: 'ios' }),
    listAll({ platform: 'android' }),
  ])
  expect(any.every(isOpenable)).toBe(false)
  const first = ios.findIndex((wallet) => !isOpenable(wallet))
  expect(first).toBeGreaterThan(100)
  expect(ios.slice(first).some(isOpenable)).toBe(false)
  expect(android.map(({ id }) => id)).toEqual(ios.map(({ id }) => id))
  expect(ios.map(({ id }) => id).toSorted()).toEqual(any.map(({ id }) => id).toSorted())
  // Among those, the order of use stays.
  expect(ios.slice(0, first).map(({ id }) => id)).toEqual(any.filter(isOpenable).map(({ id }) => id))
})

test('getWallets finds the device in the user agent, unless the query names one it knows', async () => {
  const idsOf = async (query: string, agent: string): Promise<readonly string[]> => {
    const response = await app.inject({ url: `/getWallets?entries=100${query}`, headers: { 'user-agent': agent } })
    return response.json<WalletListPage>().data.map(({ id }) => id)
  }
  const [ios, desktop] = [await idsOf('&platform=ios', 'node'), await idsOf('&platform=desktop', 'node')]
  expect(ios).not.toEqual(desktop)
  expect(await idsOf('', phone)).toEqual(ios)
  expect(await idsOf('&platform=unknown', phone)).toEqual(ios)
  expect(await idsOf('&platform=desktop', phone)).toEqual(desktop)
  expect(await idsOf('', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/156.0')).toEqual(desktop)
})

test('getWallets moves wallets made for a requested chain up', async () => {
  const solana = namesOf(await list({ chains: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', entries: '100' }))
  expect(solana.slice(0, 2)).toEqual(['Phantom', 'Solflare'])
  expect(solana.indexOf('MetaMask')).toBeGreaterThan(1)
  const evm = namesOf(await list({ chains: 'eip155:1', entries: '100' }))
  expect(evm.slice(0, 2)).toEqual(['Latchkey Developer Wallet', 'MetaMask'])
  // A well-known wallet stays ahead of hardly used ones that were made for the chain.
  expect(evm.indexOf('Phantom')).toBeGreaterThan(evm.indexOf('MetaMask'))
  expect(evm.indexOf('Phantom')).toBeLessThan(60)
  const both = namesOf(await list({ chains: 'eip155:1,solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }))
  expect(both.slice(1, 4)).toEqual(['MetaMask', 'Trust Wallet', 'Rainbow'])
})

test('getWallets returns no certified wallets [R7.2.1]', async () => {
  expect(await list({ badge_type: 'certified' })).toEqual({ data: [], count: 0 })
  expect((await list({ badge_type: 'none' })).count).toBeGreaterThanOrEqual(120)
})

test.each(['page=0', 'page=x', 'entries=101', `search=${'x'.repeat(101)}`])('getWallets rejects %s', async (query) => {
  expect((await app.inject(`/getWallets?${query}`)).statusCode).toBe(400)
})

test('every wallet has the fields that clients need, with openable links', async () => {
  for (const wallet of await listAll({})) {
    expect(wallet.id).toMatch(/^[0-9a-f]{64}$/)
    expect(wallet.image_id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(wallet.chains.length).toBeGreaterThan(0)
    for (const link of [wallet.mobile_link, wallet.desktop_link]) expect(link ?? 'a:').toMatch(/^[a-z][a-z0-9.+-]*:/)
    for (const link of [wallet.homepage, wallet.webapp_link]) expect(link ?? 'https://a').toMatch(/^https?:\/\//)
    for (const link of [wallet.link_mode, wallet.chrome_store, wallet.app_store, wallet.play_store]) {
      expect(link ?? 'https://a').toMatch(/^https:\/\//)
    }
  }
})

test('getAnalyticsConfig reports analytics as off [R7.2.3]', async () => {
  expect((await app.inject('/getAnalyticsConfig')).json()).toEqual({ isAnalyticsEnabled: false })
})
