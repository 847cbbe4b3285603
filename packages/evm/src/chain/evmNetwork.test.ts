import { expect, test } from 'vitest'
import { unknownEvmNetwork } from './evmNetwork.ts'

test.each([
  ['eip155:1', 'Ethereum', 'ETH'],
  ['eip155:137', 'Polygon', 'POL'],
  ['eip155:8453', 'Base', 'ETH'],
  ['eip155:987654321', 'Unknown network 987654321', 'ETH'],
] as const)('a wallet on %s is on %s, even if the app does not offer it [R4.2.3]', (chainId, name, symbol) => {
  expect(unknownEvmNetwork(chainId)).toMatchObject({ caipNetworkId: chainId, name, nativeCurrency: { symbol } })
})
