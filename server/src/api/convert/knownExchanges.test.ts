import { isAddress } from 'viem'
import { expect, test } from 'vitest'
import { exchangeSchema } from '../../kit/exchange.ts'
import { knownExchanges } from './knownExchanges.ts'

/** Those of the twelve networks with swaps that have one here; on Kaia an operator names the exchange himself. */
const networks = [1, 10, 56, 100, 137, 250, 324, 8453, 42161, 43114, 1313161554]

test('knows an exchange of eleven networks, in the form that an operator would write', () => {
  expect(Object.keys(knownExchanges)).toEqual(networks.map((id) => `eip155:${id}`))
  for (const exchange of Object.values(knownExchanges)) expect(exchangeSchema.parse(exchange)).toEqual(exchange)
})

test('has no letter of an address wrong: the cases of all of them are their checksum', () => {
  const written = JSON.stringify(knownExchanges).match(/0x[0-9a-zA-Z]+/g) ?? []
  expect(written.length).toBeGreaterThan(40)
  expect(written.filter((address) => !isAddress(address))).toEqual([])
})

test('takes tokens for a router alone, never for a factory or a quoter', () => {
  for (const { router, v2, v3, wrappedNative, between = [] } of Object.values(knownExchanges)) {
    expect([v2?.factory, v3?.factory, v3?.quoter, wrappedNative, ...between]).not.toContain(router)
  }
})

test('takes what the local world writes down for a server as it is, and refuses half an exchange', () => {
  const contract = (digit: string): `0x${string}` => `0x${digit.repeat(40)}`
  const [wrappedNative, router, factory, quoter] = ['1', '2', '3', '4'].map(contract)
  const written = { wrappedNative, router, v2: { factory }, v3: { factory, quoter }, between: [contract('5')] }
  expect(exchangeSchema.parse(written)).toEqual(written)
  for (const half of [
    { v2: undefined, v3: undefined },
    { router: 'nobody' },
    { v3: { factory } },
    { between: 'all' },
  ]) {
    expect(exchangeSchema.safeParse({ ...written, ...half }).success).toBe(false)
  }
})
