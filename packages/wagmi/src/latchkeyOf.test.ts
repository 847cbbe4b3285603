import * as wagmi3 from '@wagmi/core'
import { http } from 'viem'
import { anvil } from 'viem/chains'
import { expect, test } from 'vitest'
import { latchkeyOf } from './latchkeyOf.ts'
import { setUpWagmi } from './testing/setUpWagmi.ts'

test.each([2, 3] as const)('latchkeyOf returns the instance of a configuration of wagmi %i', (version) => {
  const { config, latchkey } = setUpWagmi('http://127.0.0.1:9/', version)
  expect(latchkeyOf(config)).toBe(latchkey)
})

test('latchkeyOf throws for a configuration without a connector of Latchkey', () => {
  const config = wagmi3.createConfig({ chains: [anvil], transports: { [anvil.id]: http() } })
  expect(() => latchkeyOf(config)).toThrow('has no connector of Latchkey')
})
