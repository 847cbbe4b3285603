import type { TokenBalance } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { maxBalances, rankBalances } from './rankBalances.ts'

const createTokenBalance = (name: string, value?: number): TokenBalance => ({
  name,
  symbol: name,
  chainId: 'eip155:1',
  address: `eip155:1:${name}`,
  value,
  price: 0,
  quantity: { decimals: '18', numeric: '1' },
  iconUrl: '',
})
const { address: _address, ...native } = createTokenBalance('native', 0)
const listNames = (balances: readonly TokenBalance[]): readonly string[] => balances.map(({ name }) => name)

test('balances begin with the native currency, then the most valuable, then those without a price in their order', () => {
  const balances = [
    createTokenBalance('listed'),
    createTokenBalance('cheap', 1),
    native,
    createTokenBalance('old'),
    createTokenBalance('dear', 50),
    createTokenBalance('broken', Infinity),
  ]
  expect(listNames(rankBalances(balances))).toEqual(['native', 'dear', 'cheap', 'listed', 'old', 'broken'])
})

test('a valuable token is not displaced by many tokens without a price', () => {
  const clones = Array.from({ length: 900 }, (_, index) => createTokenBalance(`clone-${index}`))
  const ranked = rankBalances([native, ...clones, createTokenBalance('dear', 50)])
  expect(ranked.length).toBe(maxBalances)
  expect(listNames(ranked).slice(0, 3)).toEqual(['native', 'dear', 'clone-0'])
})

test('a required token is never cut', () => {
  const clones = Array.from({ length: 900 }, (_, index) => createTokenBalance(`clone-${index}`))
  const ranked = rankBalances([native, ...clones], new Set(['eip155:1:clone-899']))
  expect(listNames(ranked).at(-1)).toBe('clone-899')
})
