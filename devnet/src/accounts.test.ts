import { privateKeyToAddress } from 'viem/accounts'
import { expect, test } from 'vitest'
import { addresses, bundlerKeys, localAccount, onRampKey, paymasterKey, roles } from './accounts.ts'

test('the hard-coded addresses derive from the phrase', () => {
  expect(addresses.map((_, index) => localAccount(index).address)).toEqual(addresses)
})

test('the hard-coded on-ramp key derives from the phrase', () => {
  expect(privateKeyToAddress(onRampKey)).toBe(addresses[roles.onRamp])
})

test('the hard-coded bundler and paymaster keys derive from the phrase', () => {
  expect(privateKeyToAddress(bundlerKeys.executor)).toBe(addresses[roles.bundler])
  expect(privateKeyToAddress(bundlerKeys.helper)).toBe(addresses[roles.bundlerHelper])
  expect(privateKeyToAddress(paymasterKey)).toBe(addresses[roles.paymaster])
})
