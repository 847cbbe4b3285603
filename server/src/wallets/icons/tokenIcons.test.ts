import { expect, test } from 'vitest'
import { readBrandIcons } from './brandIcons.ts'
import { createTokenIcons } from './tokenIcons.ts'

const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const place = { pictures: 'https://server.example' }
const { urlOf } = createTokenIcons({ icons: readBrandIcons(), place })

test('the native currency of a chain has the picture of its symbol', () => {
  const url = 'https://server.example/public/getTokenImage/ETH'
  expect(urlOf({ chainId: 'eip155:31337', symbol: 'ETH' })).toBe(url)
  expect(urlOf({ chainId: 'eip155:31337', symbol: 'ETH', address: `0x${'e'.repeat(40)}` })).toBe(url)
})

test('a known token has the picture of its address, in any case', () => {
  const url = `https://server.example/public/getTokenImage/eip155%3A1%3A${usdc.toLowerCase()}`
  expect(urlOf({ chainId: 'eip155:1', symbol: 'USDC', address: usdc })).toBe(url)
})

test('a token that imitates the symbol of a known token has no picture', () => {
  expect(urlOf({ chainId: 'eip155:1', symbol: 'USDC', address: `0x${'11'.repeat(20)}` })).toBe('')
  expect(urlOf({ chainId: 'eip155:8453', symbol: 'USDC', address: usdc })).toBe('')
})

test("the operator's icon has precedence", () => {
  const iconUrl = 'https://icons.example/usdc.svg'
  expect(urlOf({ chainId: 'eip155:1', symbol: 'USDC', address: usdc, iconUrl })).toBe(iconUrl)
})

test('there are no pictures before the server knows its own address', () => {
  const early = createTokenIcons({ icons: readBrandIcons(), place: { pictures: '' } })
  expect(early.urlOf({ chainId: 'eip155:1', symbol: 'ETH' })).toBe('')
})
