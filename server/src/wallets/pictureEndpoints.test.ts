import { expect, test } from 'vitest'
import type { Chain } from '../kit/chain/chains.ts'
import { createHttp } from '../kit/http/createHttp.ts'
import { mountEndpoints } from '../kit/http/defineEndpoint.ts'
import { createProjects } from '../kit/http/projects.ts'
import { noBrandIcons, readBrandIcons, type BrandIcons } from './icons/brandIcons.ts'
import { createPictureEndpoints } from './pictureEndpoints.ts'
import { createPictures } from './pictures.ts'
import { readWalletList } from './walletList.ts'

const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const local: Chain = {
  caipNetworkId: 'eip155:31337',
  name: 'Local world',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: ['http://127.0.0.1:1'],
  tokens: [{ address: `0x${'00'.repeat(20)}`, name: 'Test Dollar', symbol: 'TUSD', decimals: 6 }],
}
const mainnet: Chain = {
  ...local,
  caipNetworkId: 'eip155:1',
  name: 'Ethereum',
  tokens: [{ address: usdc, name: 'USD Coin', symbol: 'USDC', decimals: 6 }],
}
const wallets = readWalletList({ developerWalletUrl: 'http://127.0.0.1:4601', chains: [local.caipNetworkId] })
const imageOf = (name: string): string => wallets.find({ page: 1, entries: 1, names: [name] }).data[0]?.image_id ?? ''

async function serve(icons: BrandIcons) {
  const app = await createHttp({ logLevel: 'silent', projects: createProjects('any') })
  const pictures = createPictures({ wallets, chains: [mainnet, local], icons })
  mountEndpoints(app, createPictureEndpoints(pictures, imageOf('MetaMask')), () => {})
  return app
}
const app = await serve(readBrandIcons())
const withoutIcons = await serve(noBrandIcons)

test.each([
  ['a wallet', '/getWalletImage/', imageOf('MetaMask')],
  ['a wallet as an asset', '/public/getAssetImage/', imageOf('MetaMask')],
  ['a network', '/public/getAssetImage/', 'eip155:1'],
  ['a network that is not configured', '/public/getAssetImage/', 'polkadot:91b171bb158e2d3848fa23a9f1c25182'],
  ['a native currency', '/public/getTokenImage/', 'ETH'],
  ['a listed token by symbol', '/public/getTokenImage/', 'USDC'],
  ['a known token by address', '/public/getTokenImage/', `eip155:1:${usdc.toLowerCase()}`],
])('picture of %s is its brand icon [R7.2.2]', async (_what, path, id) => {
  const response = await app.inject(path + encodeURIComponent(id))
  expect(response.statusCode).toBe(200)
  expect(response.body).toMatch(/^<svg width='80' height='80'/)
  expect(response.body).not.toContain('</text>')
  expect(response.headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=604800, immutable',
  })
})

test.each([
  ['a wallet', '/getWalletImage/', imageOf('Latchkey Developer Wallet'), 'LD'],
  ['a network', '/public/getAssetImage/', 'eip155:31337', 'LW'],
  ['a currency', '/public/getCurrencyImage/', 'usd', 'U'],
  ['a token', '/public/getTokenImage/', 'TUSD', 'T'],
])('picture of %s without a brand icon has its initials [R7.2.2]', async (_what, path, id, initials) => {
  const response = await app.inject(path + encodeURIComponent(id))
  expect(response.statusCode).toBe(200)
  expect(response.body).toContain(`>${initials}</text>`)
  expect(response.headers).toMatchObject({ 'content-security-policy': "sandbox; default-src 'none'" })
})

test('a listed token gets no brand icon because of its symbol alone', async () => {
  const imitation = { address: `0x${'11'.repeat(20)}`, name: 'USD Coin', symbol: 'USDC', decimals: 6 }
  const pictures = createPictures({ wallets, chains: [{ ...local, tokens: [imitation] }], icons: readBrandIcons() })
  expect(pictures.find('token', 'USDC')?.body).toContain('>U</text>')
})

test('a repeated request with the ETag gets 304 without a body', async () => {
  const path = '/public/getAssetImage/eip155:1'
  const { headers } = await app.inject(path)
  const again = await app.inject({ url: path, headers: { 'if-none-match': String(headers.etag) } })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  expect(again.headers.etag).toBe(headers.etag)
  const changed = await app.inject({ url: path, headers: { 'if-none-match': '"other"' } })
  expect(changed.statusCode).toBe(200)
})

test.each([
  ['/public/getAssetImage/eip155:1', 'E'],
  ['/public/getTokenImage/ETH', 'E'],
  [`/getWalletImage/${imageOf('MetaMask')}`, 'M'],
])('picture at %s has initials if brand icons are switched off', async (path, initials) => {
  expect((await withoutIcons.inject(path)).body).toContain(`>${initials}</text>`)
})

test.each(['/getWalletImage/x', '/public/getAssetImage/eip155:999999999', '/public/getTokenImage/%3Csvg%3E'])(
  'picture at %s is not found',
  async (path) => {
    expect((await app.inject(path)).statusCode).toBe(404)
  },
)
