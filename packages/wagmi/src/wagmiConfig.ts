import type { Address } from 'viem'

// The parts of wagmi 2 and 3 that this package needs. Apps pass the objects of their own version, so that no second copy of
// wagmi is installed.

/** The events of a connector. */
export type WagmiEmitter = {
  emit(name: 'connect', data: { accounts: readonly Address[]; chainId: number }): void
  emit(name: 'change', data: { accounts?: readonly Address[]; chainId?: number }): void
  emit(name: 'disconnect'): void
}

/** A chain that the app configured. */
export type WagmiChain = { readonly id: number }

/** The arguments that wagmi passes to the function that creates a connector. */
export type ConnectorParameters<chain extends WagmiChain = WagmiChain> = {
  readonly chains: readonly [chain, ...chain[]]
  readonly emitter: WagmiEmitter
}

/** A connector in the state of wagmi. */
export type WagmiConnector = { readonly uid: string; readonly type: string; readonly emitter: WagmiEmitter }

/** The state of wagmi. */
export type WagmiState = {
  readonly chainId: number
  readonly connections: ReadonlyMap<string, { readonly accounts: readonly Address[]; readonly chainId: number }>
  readonly current: string | null
  readonly status: 'connected' | 'connecting' | 'disconnected' | 'reconnecting'
}

/** The configuration that `createConfig` of wagmi returns. */
export type WagmiConfig = {
  readonly chains: readonly WagmiChain[]
  readonly connectors: readonly WagmiConnector[]
  readonly state: WagmiState
  /** Receives a function from the old state to the new one. Its type depends on the app's chains. */
  setState(update: never): void
  subscribe(select: (state: WagmiState) => unknown, listener: () => void): () => void
}
