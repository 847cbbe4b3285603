import { privateKeyToAddress } from 'viem/accounts'
import { expect, test } from 'vitest'
import { addresses, localAccount, onRampKey, roles } from './accounts.ts'

test('writes down the addresses that the phrase derives', () => {
  expect(addresses.map((_, index) => localAccount(index).address)).toEqual(addresses)
})

test('writes down the key that the on-ramp pays with', () => {
  expect(privateKeyToAddress(onRampKey)).toBe(addresses[roles.onRamp])
})
