import type { Network } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { readAdd, readSwitch } from './networkRequest.ts'

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

test('finds the network to switch to, and answers 4902 when it knows none', () => {
  expect(readSwitch([{ chainId: '0x7a69' }], [local])).toBe(local)
  expect(() => readSwitch([{ chainId: '0x1' }], [local])).toThrow(expect.objectContaining({ code: 4902 }))
})

test('reads a new network, with a name that can be shown and the endpoints that can be asked', () => {
  expect(readAdd([described], [local])).toMatchObject({
    caipNetworkId: 'eip155:1337',
    name: 'Second one',
    nativeCurrency: { symbol: 'COIN' },
    rpcUrls: { default: { http: ['http://127.0.0.1:9545'] } },
  })
})

test('does not let an app describe a network that the wallet already knows', () => {
  expect(readAdd([{ ...described, chainId: '0x7a69' }], [local])).toBe(local)
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
  ['decimals that are none', [{ ...described, nativeCurrency: { name: 'x', symbol: 'X', decimals: 1.5 } }]],
])('refuses %s', (_, params) => {
  expect(() => readAdd(params, [local])).toThrow(expect.objectContaining({ code: -32602 }))
})
