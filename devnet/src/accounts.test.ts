import { expect, test } from 'vitest'
import { addresses, localAccount } from './accounts.ts'

test('writes down the addresses that the phrase derives', () => {
  expect(addresses.map((_, index) => localAccount(index).address)).toEqual(addresses)
})
