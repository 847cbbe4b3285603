import { privateKeyToAddress } from 'viem/accounts'
import { expect, test } from 'vitest'
import { addresses, bundlerKeys, localAccount, onRampKey, paymasterKey, roles } from './accounts.ts'

test('writes down the addresses that the phrase derives', () => {
  expect(addresses.map((_, index) => localAccount(index).address)).toEqual(addresses)
})

test('writes down the key that the on-ramp pays with', () => {
  expect(privateKeyToAddress(onRampKey)).toBe(addresses[roles.onRamp])
})

test('writes down the keys of the bundler and of the paymaster', () => {
  expect(privateKeyToAddress(bundlerKeys.executor)).toBe(addresses[roles.bundler])
  expect(privateKeyToAddress(bundlerKeys.helper)).toBe(addresses[roles.bundlerHelper])
  expect(privateKeyToAddress(paymasterKey)).toBe(addresses[roles.paymaster])
})
