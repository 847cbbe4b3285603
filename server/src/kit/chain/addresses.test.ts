import { expect, test } from 'vitest'
import { isBitcoinAddress } from './isBitcoinAddress.ts'
import { normalizeAddress } from './normalizeAddress.ts'
import { getSs58Key } from './ss58.ts'

// Addresses of BIP-173, BIP-350 and BIP-84.
test.each([
  '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
  '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
  'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn',
  'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
  'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
  'bcrt1qquv9lg5g2r4jkr0ahun0ddfg5xntxjelwjpnuw',
])('%s is a Bitcoin address', (address) => {
  expect(isBitcoinAddress(address)).toBe(true)
})

test.each([
  ['a wrong checksum', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3'],
  ['a wrong Bech32 checksum', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdp'],
  ['the second form of the checksum in version 0', 'bc1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd'],
  ['the first form of the checksum in version 1', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd'],
  ['another chain', 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9'],
  ['a path', 'bc1q/../../tx'],
  ['nothing', ''],
])('an address with %s is refused', (_what, address) => {
  expect(isBitcoinAddress(address)).toBe(false)
})

test('addresses of the same account on different networks have the same key (SS58)', () => {
  const key = 'd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d'
  expect(getSs58Key('15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5')).toBe(key)
  expect(getSs58Key('5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY')).toBe(key)
})

test.each(['5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQZ', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', '', '0x00'])(
  '%j is no SS58 address',
  (address) => {
    expect(getSs58Key(address)).toBeUndefined()
  },
)

test('only hex addresses are lower-cased', () => {
  expect(['0xAB', '0XAB', 'GsbwX', 'bc1Q'].map(normalizeAddress)).toEqual(['0xab', '0xab', 'GsbwX', 'bc1Q'])
})
