import { expect, test } from 'vitest'
import { isSpam } from './spam.ts'

const listed = [{ name: 'Latch Dollar', symbol: 'LUSD' }]
const judge = (name: string | null, symbol: string | null = null): boolean => isSpam({ name, symbol }, listed)

test.each([
  ['a place to go', 'Visit uni-rewards.xyz'],
  ['a place with a blank in it', 'stETH . com voucher'],
  ['a lure', '5,000 USD Airdrop'],
  ['the name of a listed token', 'Latch Dollar'],
  ['a listed token in Cyrillic', 'Lаtch Dоllаr'],
  ['a listed token with marks and blanks', 'L ú.S-D'],
  ['a listed token with digits for letters', 'LU5D'],
])('isSpam is true for %s', (_what, name) => {
  expect(judge(name)).toBe(true)
})

test.each(['Wrapped Ether', 'Dai Stablecoin', 'Curve.fi DAI/USDC', 'Yield v2.1', 'Reclaimer', 'Свобода', ''])(
  'isSpam is false for "%s", unless it contains a URL',
  (name) => {
    expect(judge(name, name === '' ? null : 'SYM')).toBe(name === 'Curve.fi DAI/USDC')
  },
)
