import { beforeAll, expect, test } from 'vitest'
import { renderPages } from './renderPages.tsx'

const config = {
  projectId: '1a7c4e1000000000000000000000c0de',
  server: 'http://127.0.0.1:2',
  relay: 'ws://127.0.0.1:2/relay',
  wallet: 'http://127.0.0.1:3',
  docs: 'http://127.0.0.1:4/guide',
  networks: [
    {
      id: '1',
      caipNetworkId: 'eip155:1',
      chainNamespace: 'eip155',
      name: 'First Chain',
      nativeCurrency: { name: 'Coin', symbol: 'C', decimals: 18 },
      rpcUrls: { default: { http: ['http://127.0.0.1:1'] } },
    },
  ],
}

let pages: ReadonlyMap<string, string>

beforeAll(async () => {
  pages = await renderPages(config)
})

test.each([
  ['/', 'Wallet connections that you host yourself'],
  ['/playground', 'Playground'],
  ['/account', 'Account'],
  ['/status', 'Status'],
])('renderPages renders %s with its heading and a connect button', (path, heading) => {
  const html = pages.get(path) ?? ''
  expect(html).toContain(`<h1>${heading}</h1>`)
  expect(html).toMatch(/<button [^>]*class="latchkey-button"/)
})

test('renderPages needs no browser', () => {
  expect([typeof window, typeof document]).toEqual(['undefined', 'undefined'])
  expect(pages.size).toBe(4)
})

test('renderPages renders values of the configuration', () => {
  expect(pages.get('/')).toContain('href="http://127.0.0.1:4/guide"')
  expect(pages.get('/playground')).toContain('First Chain')
})

test('renderPages renders neither scripts nor style attributes, which the content security policy forbids', () => {
  for (const html of pages.values()) expect(html).not.toMatch(/<script|<[^>]+\s(style|on\w+)=/)
})

test('renderPages makes the options of the playground inert, because a choice would be lost', () => {
  expect(pages.get('/playground')).toMatch(/<form [^>]*inert/)
})

test('renderPages rejects an incomplete configuration', async () => {
  await expect(renderPages({})).rejects.toThrow('The page has no configuration.')
})
