import type { Namespace, Network } from '@latchkey/protocol'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Adapter } from '../contracts/adapter.ts'
import { systemClock, type Clock } from '../contracts/clock.ts'
import type { Connection, Connector } from '../contracts/connector.ts'
import type { SignInState } from '../signIn/signInState.ts'
import type { WalletState } from '../state/connectionState.ts'
import { createMemory, type Memory } from '../storage/memory.ts'
import { pageStorage } from '../storage/pageStorage.ts'
import { createEmitter, type Emitter } from './events.ts'
import { parseOptions, type LatchkeyOptions, type Settings } from './options.ts'

/** Work in progress that something must be able to cancel. */
export type Tasks = {
  /** Calls of `start` whose stop function has not been called. */
  starts: number
  /** The latest connection attempt of each namespace. A new attempt aborts it. */
  attempts: Map<Namespace, AbortController>
  /** Ids of the connectors that are being restored. */
  restoring: Set<string>
  /** Functions that stop following a wallet, by connection. */
  followed: Map<Connection, () => void>
  /** Calls of `connectAll` in progress. Warnings and the sign-in wait for them. */
  connectingAll: number
  /** Functions that end the wait for a wallet's approval. The wallet may still execute the request. */
  approvals: Set<() => void>
  /** Ids of connectors that were disconnected while their wallet stays connected in another namespace. */
  unnotified: Set<string>
  /** Functions that stop waiting for a locked wallet to be unlocked, by the id of its connector. */
  unlocking: Map<string, () => void>
  /** True while the active account is on an unsupported network that was reported. */
  isUnsupportedReported: boolean
  /** Cancels the timer that ends the sign-in session. */
  cancelSessionTimer: () => void
  /** Functions that end discovery and the other subscriptions of `start`. */
  stops: Array<() => void>
}

/** The part of an instance that only Latchkey's own packages use. It may change in any release. */
export type Internals = {
  readonly settings: Settings
  readonly clock: Clock
  readonly memory: Memory
  readonly tasks: Tasks
  /** The state of each feature in use. Read it with `getFeature`. */
  readonly features: Map<object, unknown>
}

/**
 * One instance. Pass it first to every function. Instances share no state, so a page can have several and a server can
 * create one per request.
 */
export type Latchkey = {
  /** One adapter per namespace, as configured. */
  readonly adapters: readonly Adapter[]
  /** All configured networks. */
  readonly networks: readonly Network[]
  /** The wallets that you can connect: configured connectors and wallets discovered in the page. */
  readonly connectors: StoreApi<readonly Connector[]>
  /** The connections of each namespace. Most apps call `getAccount` instead. */
  readonly wallet: StoreApi<WalletState>
  /** The sign-in state of the active account. */
  readonly signIn: StoreApi<SignInState>
  /** Everything that the instance reports. */
  readonly events: Emitter
  /** @internal Reached by Latchkey's own packages through `internalsOf`. */
  readonly internal: Internals
}

/**
 * Creates an instance. It reads no storage and contacts no wallet before you call `start`, so you can call this on a
 * server and in module scope.
 *
 * @param options adapters, connectors and further options; only `adapters` is required
 * @returns a new instance
 * @throws LatchkeyError `config/invalid`, listing every mistake in the options.
 * @example
 * import { mainnet } from 'viem/chains'
 * export const latchkey = createLatchkey({
 * adapters: [evm({ chains: [mainnet] })],
 * connectors: [walletConnect({ relayUrl, projectId, metadata })],
 * })
 */
export function createLatchkey(options: LatchkeyOptions): Latchkey {
  const { adapters, connectors = [], clock = systemClock, storage = pageStorage() } = options
  const networks = adapters.flatMap((adapter) => adapter.networks)
  const settings = parseOptions(options, networks)
  const events = createEmitter()
  const reportStorage = (): void => events.emit({ type: 'problem', code: 'storage-unavailable' })
  return {
    adapters,
    networks,
    connectors: createStore<readonly Connector[]>(() => connectors),
    wallet: createStore<WalletState>(() => ({
      active: settings.defaultNetwork?.chainNamespace,
      namespaces: Object.fromEntries(adapters.map(({ namespace }) => [namespace, { status: 'disconnected' }])),
      chosen: {},
      others: {},
    })),
    signIn: createStore<SignInState>(() => ({ status: 'off' })),
    events,
    internal: {
      settings,
      clock,
      memory: createMemory(storage, reportStorage),
      tasks: createTasks(),
      features: new Map(),
    },
  }
}

function createTasks(): Tasks {
  return {
    starts: 0,
    attempts: new Map(),
    restoring: new Set(),
    followed: new Map(),
    connectingAll: 0,
    approvals: new Set(),
    unnotified: new Set(),
    unlocking: new Map(),
    isUnsupportedReported: false,
    cancelSessionTimer: () => {},
    stops: [],
  }
}

/**
 * Returns the internals of an instance.
 *
 * @example const { settings } = internalsOf(latchkey)
 */
export function internalsOf({ internal }: { readonly internal: Internals }): Internals {
  return internal
}
