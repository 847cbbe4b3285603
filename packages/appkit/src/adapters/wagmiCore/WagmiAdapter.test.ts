import { readFile } from 'node:fs/promises'
import { arbitrum, mainnet } from 'viem/chains'
import { expect, test } from 'vitest'
import { WagmiAdapter as ReactWagmiAdapter } from '../wagmi/index.ts'
import { WagmiAdapter } from './index.ts'

test.each([
  ['@wagmi/core', WagmiAdapter],
  ['wagmi', ReactWagmiAdapter],
])('the adapter for %s creates a configuration with its networks and connector', (_name, Adapter) => {
  const { wagmiConfig, wagmiChains } = new Adapter({ networks: [mainnet, arbitrum], ssr: true })
  expect(wagmiChains.map(({ id }) => id)).toEqual([1, 42_161])
  expect(wagmiConfig.chains.map(({ id }) => id)).toEqual([1, 42_161])
  expect(wagmiConfig.connectors.map(({ type }) => type)).toEqual(['latchkey'])
})

test('each adapter imports wagmi from the package that its apps install', async () => {
  const importsOf = async (path: string): Promise<string[]> =>
    [...(await readFile(new URL(path, import.meta.url), 'utf8')).matchAll(/from '([^']*wagmi[^']*)'/g)].map(
      ([, name = '']) => name,
    )
  expect(await importsOf('./WagmiAdapter.ts')).toEqual(['@wagmi/core', '../wagmi/WagmiAdapterBase.ts'])
  expect(await importsOf('../wagmi/WagmiAdapter.ts')).toEqual(['wagmi'])
  expect(await importsOf('../wagmi/WagmiAdapterBase.ts')).toEqual(['@latchkey/wagmi'])
})
