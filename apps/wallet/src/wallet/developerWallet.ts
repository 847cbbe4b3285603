import type { Clock, Storage } from '@latchkey/core'
import type { Network } from '@latchkey/protocol'
import type {
  createCacao,
  OriginVerdict,
  PeerError,
  RelayStatus,
  Session,
  SessionProposal,
  Wallet,
  WalletRequest,
} from '@latchkey/walletconnect/wallet'
import type { WalletConfig } from '../walletConfig.ts'
import type { Account, NamespaceAdapter, DecodedRequest } from '../namespaces/namespaceAdapter.ts'
import type { AppIdentity } from './appIdentity.ts'
import { createBalances, type Balances } from './balances.ts'
import { createWalletMemory, type WalletMemory, type Settings, type AppConnections } from './walletMemory.ts'
import type { ProposalSupport } from './proposalSupport.ts'
import { createStore, type Store } from './store.ts'

/** The verdict on an app's origin. `looking` until the verification finishes. */
export type Origin = OriginVerdict | { status: 'looking' }

/** A proposal or request that waits for the user's decision. `key` is unique during the wallet's lifetime. */
export type PendingRequest = { key: string; app: AppIdentity; origin: Origin; isResponding: boolean } & (
  | { kind: 'proposal'; proposal: SessionProposal; support: ProposalSupport }
  | { kind: 'request'; request: WalletRequest; network: Network; decoded: DecodedRequest }
)

/** An app with a session, and its connections. */
export type ConnectedApp = { session: Session; app: AppIdentity; connections: AppConnections }

/** The response to a request. */
export type WalletResponse = { result: unknown } | { error: PeerError }

/** A short message to the user. */
export type Notice = { id: number; tone: 'done' | 'failure'; text: string }

/** The state of the relay connection. `offline`: the user closed it. `elsewhere`: another tab holds the wallet. */
export type RelayConnection = RelayStatus['state'] | 'offline' | 'elsewhere'

/** The state of the last pairing, until its app proposes a session. */
export type Pairing =
  | { status: 'idle' }
  | { status: 'reaching' }
  /** The app has not asked for anything yet, though it should have. */
  | { status: 'late' }
  | { status: 'failed'; reason: string }

export type WalletState = {
  relayConnection: RelayConnection
  apps: readonly ConnectedApp[]
  /** Oldest first. */
  pendingRequests: readonly PendingRequest[]
  settings: Settings
  /** The networks of the deployment, then those that apps added. */
  networks: readonly Network[]
  notice: Notice | undefined
  pairing: Pairing
}

export type DeveloperWalletOptions = {
  config: WalletConfig
  /** The account of the first adapter appears at the top. */
  adapters: readonly [NamespaceAdapter, ...NamespaceAdapter[]]
  storage: Storage
  clock: Clock
  /** Opens the wallet side of the protocol and restores its sessions from the storage. */
  open(): Wallet
  /** Combines a signature with its payload (CACAO, CAIP-74). */
  createCacao: typeof createCacao
}

/** The wallet behind the page: its state and its dependencies. */
export type DeveloperWallet = DeveloperWalletOptions & {
  readonly store: Store<WalletState>
  readonly balances: Balances
  readonly memory: WalletMemory
  /** The wallet side of the protocol. Undefined while the wallet is offline. */
  protocol: Wallet | undefined
  /** Responses to requests that were executed while the wallet went offline, by request key. They must not run again. */
  readonly undelivered: Map<string, WalletResponse>
  /** Cancels the next check for expired requests. */
  cancelExpiryCheck(): void
  /** Runs tasks one after another, so that two transactions never use the same nonce. */
  runExclusive<result>(task: () => Promise<result>): Promise<result>
}

/**
 * Creates the wallet. It opens no connection before `start(wallet)`.
 *
 * @example
 * const wallet = createDeveloperWallet({ config, adapters: [evm()], storage: pageStorage(), clock: systemClock, open })
 * start(wallet)
 */
export function createDeveloperWallet(options: DeveloperWalletOptions): DeveloperWallet {
  const { config, adapters, storage, clock } = options
  const memory = createWalletMemory(storage)
  let last: Promise<unknown> = Promise.resolve()
  return {
    ...options,
    memory,
    balances: createBalances({ adapters, tokens: config.tokens, clock }),
    protocol: undefined,
    undelivered: new Map(),
    cancelExpiryCheck: () => {},
    store: createStore<WalletState>({
      relayConnection: 'idle',
      apps: [],
      pendingRequests: [],
      settings: memory.settings(),
      networks: listNetworks(config, memory),
      notice: undefined,
      pairing: { status: 'idle' },
    }),
    runExclusive(task) {
      const turn = last.then(task)
      last = turn.catch(() => {})
      return turn
    },
  }
}

/** Updates some fields of the state. */
export function updateState({ store }: DeveloperWallet, part: Partial<WalletState>): void {
  store.set({ ...store.get(), ...part })
}

/** The networks of the deployment, then those that apps added. */
export function listNetworks(config: WalletConfig, memory: WalletMemory): readonly Network[] {
  const own = new Set(config.networks.map(({ caipNetworkId }) => caipNetworkId))
  return [...config.networks, ...memory.networks().filter(({ caipNetworkId }) => !own.has(caipNetworkId))]
}

/** Returns the selected account of a namespace, or its first account. */
export function getSelectedAccount(
  { store }: Pick<DeveloperWallet, 'store'>,
  { namespace, accounts }: NamespaceAdapter,
): Account {
  const address = store.get().settings.selected[namespace]
  return accounts.find((account) => account.address === address) ?? accounts[0]
}
