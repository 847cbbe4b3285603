import { createLatchkey, start, type Latchkey } from '@latchkey/core'
import { fakeStorage, type FakeStorage } from '@latchkey/core/testing'
import { evm } from '@latchkey/evm'
import { announce, createSimulatedExtension, type SimulatedExtension } from '@latchkey/testkit'
import * as wagmi3 from '@wagmi/core'
import { http, type Address } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { anvil as anvilChain } from 'viem/chains'
import * as wagmi2 from 'wagmi-core-2'
import { onTestFinished } from 'vitest'
import { bridgeWagmi } from '../bridgeWagmi.ts'
import { latchkeyConnector, type LatchkeyConnectorOptions } from '../latchkeyConnector.ts'

// The first keys of every development chain. They are funded there only.
export const keys = [
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
] as const
export const alice: Address = privateKeyToAddress(keys[0])
export const bob: Address = privateKeyToAddress(keys[1])

/** Both supported major versions. Version 2 has the same functions with wider types. */
const versions = { 2: wagmi2 as unknown as typeof wagmi3, 3: wagmi3 }
export type Version = 2 | 3

const chains = [anvilChain, { ...anvilChain, id: 31_338 }] as const
/** The wallets of the page, by their reverse-DNS name. */
export const walletNames = ['dev.first', 'dev.second'] as const

export type WagmiWorld = {
  latchkey: Latchkey
  config: wagmi3.Config
  connector: wagmi3.Connector
  extensions: readonly SimulatedExtension[]
  storage: FakeStorage
  wagmi: typeof wagmi3
  /** Closes the page. */
  stop(): void
}

export type WagmiWorldOptions = LatchkeyConnectorOptions & {
  /** The storage of an earlier page. */
  storage?: FakeStorage
  wagmiStorage?: Map<string, string>
  extensions?: readonly SimulatedExtension[]
  /** False for an app that uses only the connector. */
  bridged?: boolean
  /** Connectors of wagmi in addition to Latchkey. */
  others?: readonly wagmi3.CreateConnectorFn[]
}

/** Creates two extensions that share the accounts of Alice and Bob, on two networks of one node. */
export function createExtensions(url: string): readonly SimulatedExtension[] {
  return walletNames.map((rdns, index) =>
    createSimulatedExtension({
      privateKeys: index === 0 ? [keys[0], keys[1]] : [keys[1], keys[0]],
      rpcUrls: { 31_337: url, 31_338: url },
      chainId: 31_337,
      info: { rdns, name: rdns },
    }),
  )
}

/** Creates a page with an instance of Latchkey and a configuration of wagmi. */
export function setUpWagmi(url: string, version: Version, options: WagmiWorldOptions = {}): WagmiWorld {
  const {
    storage = fakeStorage(),
    wagmiStorage = new Map<string, string>(),
    bridged = true,
    others = [],
    ...connectorOptions
  } = options
  const wagmi = versions[version]
  const extensions = options.extensions ?? createExtensions(url)
  const page = new EventTarget()
  for (const extension of extensions) announce(extension, page)
  const latchkey = createLatchkey({ adapters: [evm({ chains: [...chains], page })], storage })
  const config = wagmi.createConfig({
    chains,
    connectors: [latchkeyConnector(latchkey, { wallet: connectorOptions.wallet }), ...others],
    multiInjectedProviderDiscovery: false,
    storage: wagmi.createStorage({
      storage: {
        getItem: (name) => wagmiStorage.get(name) ?? null,
        setItem: (name, value) => void wagmiStorage.set(name, value),
        removeItem: (name) => void wagmiStorage.delete(name),
      },
    }),
    transports: { 31_337: http(url), 31_338: http(url) },
  })
  const stops = [start(latchkey), ...(bridged ? [bridgeWagmi(latchkey, config)] : [])]
  const stop = (): void => {
    for (const each of stops) each()
  }
  onTestFinished(stop)
  const [connector] = config.connectors
  if (connector === undefined) throw new Error('no connector')
  return { latchkey, config, connector, extensions, storage, wagmi, stop }
}
