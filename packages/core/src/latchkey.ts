import type { Namespace, Network } from '@latchkey/protocol'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Adapter } from './adapter.ts'
import { systemClock, type Clock } from './clock.ts'
import type { Connection, Connector } from './connector.ts'
import { createEmitter, type Emitter } from './events.ts'
import type { ModalState } from './modal/modal.ts'
import { readOptions, type LatchkeyOptions, type Settings } from './options.ts'
import type { SignInState } from './signIn/signIn.ts'
import type { WalletState } from './state/connections.ts'
import { addAlert, type Alert, type PairingState, type ToastState } from './state/notices.ts'
import { createMemory, type Memory } from './storage/memory.ts'
import { pageStorage } from './storage/pageStorage.ts'

/** A wallet request that waits for an approval in the modal. */
export type HeldRequest = { method: string; reject(error: Error): void }

/** Things that are under way. They are nobody's state, but somebody has to be able to stop them. */
export type Running = {
  /** How many times `start` was called without its stop. */
  starts: number
  /** The latest attempt of each namespace: a new one aborts it. */
  attempts: Map<Namespace, AbortController>
  /** Ids of the connectors that are asked whether they still know us. */
  restoring: Set<string>
  /** Stops following the wallets, each by its connection. */
  followed: Map<Connection, () => void>
  /** The wait for a phone wallet. */
  pairing: AbortController | undefined
  held: Set<HeldRequest>
  /** Leaves the views that a connection that ended was shown in; nothing before the modal was first opened. */
  leaveViews(): void
  /** Whether something is shown about a network that the app does not offer. */
  warned: boolean
  /** Cancels the toast or shake that is due. */
  timers: Map<'toast' | 'shake' | 'farcaster' | 'sign-in', () => void>
  /** Ends discovery and the other subscriptions of `start`. */
  stops: Array<() => void>
}

/** One instance. Make as many as are needed; they share nothing but the page. Pass it first to every action. */
export type Latchkey = {
  readonly settings: Settings
  readonly adapters: readonly Adapter[]
  readonly networks: readonly Network[]
  readonly clock: Clock
  readonly memory: Memory
  /** The wallets that can be connected: configured ones and those found in the page. */
  readonly connectors: StoreApi<readonly Connector[]>
  readonly wallet: StoreApi<WalletState>
  readonly modal: StoreApi<ModalState>
  /** In how many places of the page the modal is drawn; with none it floats above the page. See `embedModal`. */
  readonly embeds: StoreApi<number>
  readonly pairing: StoreApi<PairingState>
  /** Where a Farcaster login is to be continued on the phone. */
  readonly farcasterUrl: StoreApi<{ url: string | undefined }>
  /** Where signing in stands. */
  readonly signIn: StoreApi<SignInState>
  readonly toast: StoreApi<ToastState>
  readonly alerts: StoreApi<readonly Alert[]>
  readonly events: Emitter
  readonly running: Running
  /** Room for a binding's own companions of this instance, by the binding's own symbol. */
  readonly companions: Map<symbol, unknown>
}

/**
 * Makes an instance. Nothing is looked for, asked or read from storage before `start(latchkey)`, so this is
 * safe on a server and in module scope.
 *
 * @throws LatchkeyError `config/invalid`, listing every mistake in the options.
 * @example
 * const latchkey = createLatchkey({
 *   adapters: [evm({ chains: [mainnet] })],
 *   connectors: [walletConnect({ relayUrl, projectId, metadata })],
 * })
 */
export function createLatchkey(options: LatchkeyOptions): Latchkey {
  const { adapters, connectors = [], clock = systemClock, storage = pageStorage() } = options
  const networks = adapters.flatMap((adapter) => adapter.networks)
  const settings = readOptions(options, networks)
  const alerts = createStore<readonly Alert[]>(() => [])
  return {
    settings,
    adapters,
    networks,
    clock,
    memory: createMemory(storage, clock.now, () => addAlert(alerts, 'storage-unavailable')),
    connectors: createStore<readonly Connector[]>(() => connectors),
    wallet: createStore<WalletState>(() => ({
      active: settings.defaultNetwork?.chainNamespace,
      namespaces: Object.fromEntries(adapters.map(({ namespace }) => [namespace, { status: 'disconnected' }])),
      chosen: {},
      others: {},
    })),
    modal: createStore<ModalState>(() => ({ open: false })),
    embeds: createStore(() => 0),
    pairing: createStore<PairingState>(() => ({ status: 'idle' })),
    farcasterUrl: createStore<{ url: string | undefined }>(() => ({ url: undefined })),
    signIn: createStore<SignInState>(() => ({ status: 'off' })),
    toast: createStore<ToastState>(() => ({ open: false })),
    alerts,
    events: createEmitter(),
    running: {
      starts: 0,
      attempts: new Map(),
      restoring: new Set(),
      followed: new Map(),
      pairing: undefined,
      held: new Set(),
      leaveViews: () => {},
      warned: false,
      timers: new Map(),
      stops: [],
    },
    companions: new Map(),
  }
}
