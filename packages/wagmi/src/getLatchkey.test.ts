import * as wagmi3 from '@wagmi/core'
import { http } from 'viem'
import { anvil } from 'viem/chains'
import { expect, test } from 'vitest'
import { getLatchkey } from './getLatchkey.ts'
import { setUpWagmi } from './testing/setUpWagmi.ts'

test.each([2, 3] as const)('getLatchkey returns the instance of a configuration of wagmi %i', (version) => {
  const { config, latchkey } = setUpWagmi('http://127.0.0.1:9/', version)
  expect(getLatchkey(config)).toBe(latchkey)
})

test('getLatchkey throws for a configuration without a connector of Latchkey', () => {
  const config = wagmi3.createConfig({ chains: [anvil], transports: { [anvil.id]: http() } })
  expect(() => getLatchkey(config)).toThrow('has no connector of Latchkey')
})
