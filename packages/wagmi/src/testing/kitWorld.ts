import { memoryStorage, type Latchkey } from '@latchkey/core'
import { announce, createSimulatedExtension, type SimulatedExtension } from '@latchkey/testkit'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement, StrictMode, type ReactElement, type ReactNode } from 'react'
import { custom, encodeAbiParameters, parseAbiParameters, type Address, type Chain } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { mainnet, sepolia } from 'viem/chains'
import { onTestFinished } from 'vitest'
import { WagmiProvider, type Config, type Transport } from 'wagmi'
import type { KitServices } from '../kit/createKitConnector.ts'
import { getLatchkey } from '../getLatchkey.ts'

// The first keys of every development chain. They are funded there only.
export const keys = [
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
] as const
export const alice: Address = privateKeyToAddress(keys[0])
export const bob: Address = privateKeyToAddress(keys[1])

const ensUniversalResolver = { address: '0x0000000000000000000000000000000000000001' } as const
/** The chain of names, without the contract that joins calls. */
const namedChain = { ...mainnet, contracts: { ensUniversalResolver } } satisfies Chain

export type KitApp = {
  chains: readonly [Chain, ...Chain[]]
  transports: Record<number, Transport>
  storage: null
  latchkey: KitServices
}

/** The options of an app with two chains. Both answer without a network: 1.2345 ETH for each account, and one name. */
export function createKitApp(name = ''): KitApp {
  const request = async ({ method }: { method: string }): Promise<unknown> => {
    if (method === 'eth_getBalance') return `0x${1_234_500_000_000_000_000n.toString(16)}`
    if (method !== 'eth_call') throw new Error(`unexpected ${method}`)
    return encodeAbiParameters(parseAbiParameters('string, address, address'), [name, alice, alice])
  }
  const transport = custom({ request })
  return {
    chains: [namedChain, sepolia],
    transports: { 1: transport, [sepolia.id]: transport },
    storage: null,
    latchkey: { storage: memoryStorage() },
  }
}

/** Announces a wallet with the accounts of Alice and Bob in the page of the test. */
export function announceWallet(): SimulatedExtension {
  const nowhere = 'http://127.0.0.1:9/'
  const extension = createSimulatedExtension({
    privateKeys: keys,
    rpcUrls: { 1: nowhere, [sepolia.id]: nowhere },
    chainId: 1,
    info: { rdns: 'dev.wallet', name: 'Dev Wallet' },
  })
  onTestFinished(announce(extension, window))
  return extension
}

/** An app around a provider, and its instance. */
export function renderInWagmi(config: Config, children: ReactNode): { app: ReactElement; latchkey: Latchkey } {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const inner = createElement(QueryClientProvider, { client: queryClient }, children)
  const app = createElement(StrictMode, undefined, createElement(WagmiProvider, { config }, inner))
  return { app, latchkey: getLatchkey(config) }
}
