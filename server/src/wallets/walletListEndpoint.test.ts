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
