import { expect, test } from 'vitest'
import { isSuspicious } from './spam.ts'

const listed = [{ name: 'Latch Dollar', symbol: 'LUSD' }]
const judge = (name: string | null, symbol: string | null = null): boolean => isSuspicious({ name, symbol }, listed)

test.each([
  ['a place to go', 'Visit uni-rewards.xyz'],
  ['a place with a blank in it', 'stETH . com voucher'],
  ['a lure', '5,000 USD Airdrop'],
  ['the name of a listed token', 'Latch Dollar'],
  ['a listed token in Cyrillic', 'Lаtch Dоllаr'],
  ['a listed token with marks and blanks', 'L ú.S-D'],
  ['a listed token with digits for letters', 'LU5D'],
])('takes %s for a lure', (_what, name) => {
  expect(judge(name)).toBe(true)
})

test.each(['Wrapped Ether', 'Dai Stablecoin', 'Curve.fi DAI/USDC', 'Yield v2.1', 'Reclaimer', 'Свобода', ''])(
  'takes "%s" for what it is, unless it names a place',
  (name) => {
    expect(judge(name, name === '' ? null : 'SYM')).toBe(name === 'Curve.fi DAI/USDC')
  },
)
