import type { Network } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { parseAddChain, parseSwitchChain } from './parseAddChain.ts'

const local: Network = {
  id: 31337,
  caipNetworkId: 'eip155:31337',
  chainNamespace: 'eip155',
  name: 'Local',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: ['http://127.0.0.1:8545'] } },
}
const described = {
  chainId: '0x539',
  chainName: 'Second \u202Eone',
  nativeCurrency: { name: 'Coin', symbol: 'COIN', decimals: 18 },
  rpcUrls: ['http://127.0.0.1:9545', 'javascript:alert(1)'],
}

test('parseSwitchChain returns a known network and throws code 4902 for an unknown one', () => {
  expect(parseSwitchChain([{ chainId: '0x7a69' }], [local])).toBe(local)
  expect(() => parseSwitchChain([{ chainId: '0x1' }], [local])).toThrow(expect.objectContaining({ code: 4902 }))
})

test('parseAddChain returns a new network with a plain name and only supported endpoints', () => {
  expect(parseAddChain([described], [local])).toMatchObject({
    caipNetworkId: 'eip155:1337',
    name: 'Second one',
    nativeCurrency: { symbol: 'COIN' },
    rpcUrls: { default: { http: ['http://127.0.0.1:9545'] } },
  })
})

test('parseAddChain returns the existing network for a known chain id', () => {
  expect(parseAddChain([{ ...described, chainId: '0x7a69' }], [local])).toBe(local)
})

test.each([
  ['no chain id', [{}]],
  ['a decimal chain id', [{ ...described, chainId: '1337' }]],
  ['a chain id beyond exact numbers', [{ ...described, chainId: '0xffffffffffffff' }]],
  ['no name', [{ ...described, chainName: undefined }]],
  ['no endpoint', [{ ...described, rpcUrls: [] }]],
  [
    'a symbol that could pose as something',
    [{ ...described, nativeCurrency: { name: 'x', symbol: 'E TH\u202E', decimals: 18 } }],
  ],
  ['invalid decimals', [{ ...described, nativeCurrency: { name: 'x', symbol: 'X', decimals: 1.5 } }]],
])('parseAddChain throws for %s', (_, params) => {
  expect(() => parseAddChain(params, [local])).toThrow(expect.objectContaining({ code: -32602 }))
})
