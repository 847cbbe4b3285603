import { expect, test } from 'vitest'
import { getEvmFeatures } from './getEvmFeatures.ts'
import { unknownEvmNetwork } from './evmNetwork.ts'

const getFeaturesOf = (id: number): readonly string[] => getEvmFeatures(unknownEvmNetwork(`eip155:${id}`))

test('getEvmFeatures lists names and activity for all networks, and swaps for twelve [R9.4.2] [R9.4.3]', () => {
  expect(getFeaturesOf(31337)).toEqual(['balances', 'nfts', 'history', 'names', 'onramp'])
  const named = [1, 42161, 10, 324, 8453, 56, 137, 100, 43114, 250, 8217, 1313161554]
  expect(named.filter((id) => getFeaturesOf(id).includes('swaps'))).toHaveLength(12)
  expect(getFeaturesOf(11155111)).not.toContain('swaps')
})
