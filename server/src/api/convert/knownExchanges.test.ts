import { isAddress } from 'viem'
import { expect, test } from 'vitest'
import { exchangeSchema } from '../../kit/chain/exchange.ts'
import { findSchemaProblems } from '../../kit/config/parseWithSchema.ts'
import { knownExchanges } from './knownExchanges.ts'

/** The networks with swaps and a known exchange. On Kaia the operator configures the exchange. */
const networks = [1, 10, 56, 100, 137, 250, 324, 8453, 42161, 43114, 1313161554]

test('known exchanges cover eleven networks and match the configuration schema', () => {
  expect(Object.keys(knownExchanges)).toEqual(networks.map((id) => `eip155:${id}`))
  for (const exchange of Object.values(knownExchanges)) expect(findSchemaProblems(exchangeSchema, exchange)).toEqual([])
})

test('known exchanges have addresses with valid checksums', () => {
  const written = JSON.stringify(knownExchanges).match(/0x[0-9a-zA-Z]+/g) ?? []
  expect(written.length).toBeGreaterThan(40)
  expect(written.filter((address) => !isAddress(address))).toEqual([])
})

test('known exchanges have a router that is neither a factory nor a quoter', () => {
  for (const { router, v2, v3, wrappedNative, between = [] } of Object.values(knownExchanges)) {
    expect([v2?.factory, v3?.factory, v3?.quoter, wrappedNative, ...between]).not.toContain(router)
  }
})

test("configuration accepts the local world's exchange and rejects an incomplete one", () => {
  const contract = (digit: string): `0x${string}` => `0x${digit.repeat(40)}`
  const [wrappedNative, router, factory, quoter] = ['1', '2', '3', '4'].map(contract)
  const written = { wrappedNative, router, v2: { factory }, v3: { factory, quoter }, between: [contract('5')] }
  expect(findSchemaProblems(exchangeSchema, written)).toEqual([])
  for (const half of [
    { v2: undefined, v3: undefined },
    { router: 'nobody' },
    { v3: { factory } },
    { between: 'all' },
  ]) {
    expect(findSchemaProblems(exchangeSchema, { ...written, ...half })).not.toEqual([])
  }
})
