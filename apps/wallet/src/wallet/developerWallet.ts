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
import type { WalletConfig } from '../config.ts'
import type { Account, Family, Question } from '../families/family.ts'
import type { AppIdentity } from './appIdentity.ts'
import { createBalances, type Balances } from './balances.ts'
import { createMemory, type Memory, type Settings, type Standings } from './memory.ts'
import type { Offer } from './offer.ts'
import { createStore, type Store } from './store.ts'

/** Where an app is, as far as the relay knows; `looking` for the moment that it takes to find out. */
export type Origin = OriginVerdict | { status: 'looking' }

/** Something that waits for the owner's decision. `key` is its own for as long as the wallet lives. */
export type Ask = { key: string; app: AppIdentity; origin: Origin; isAnswering: boolean } & (
  | { kind: 'proposal'; proposal: SessionProposal; offer: Offer }
  | { kind: 'request'; request: WalletRequest; network: Network; question: Question }
)

/** An app with a session, and where it stands in it. */
export type ConnectedApp = { session: Session; app: AppIdentity; standings: Standings }

/** What an app is told in the end. */
export type Answer = { result: unknown } | { error: PeerError }

/** One line about what happened. */
export type Notice = { id: number; tone: 'done' | 'failure'; text: string }

/** Whether the relay's socket is open; `offline` when the owner closed it, `elsewhere` when another tab took over. */
export type Link = RelayStatus['state'] | 'offline' | 'elsewhere'

/** What became of the last pairing link, until its app asks for a session. */
export type Pairing =
  | { status: 'idle' }
  | { status: 'reaching' }
  /** The app has not asked for anything yet, though it should have. */
  | { status: 'late' }
  | { status: 'failed'; reason: string }

export type WalletState = {
  link: Link
  apps: readonly ConnectedApp[]
  /** Oldest first. */
  asks: readonly Ask[]
  settings: Settings
  /** Those of the deployment, then those that apps added. */
  networks: readonly Network[]
  notice: Notice | undefined
  pairing: Pairing
}

export type WalletParts = {
  config: WalletConfig
  /** The first is the one whose account stands at the top. */
  families: readonly [Family, ...Family[]]
  storage: Storage
  clock: Clock
  /** Opens the wallet side of the protocol over what the storage holds. */
  open(): Wallet
  /** Puts a signature and what it signs together, as that protocol wants it. */
  createCacao: typeof createCacao
}

/** The wallet behind the page: its state, and what its verbs need. */
export type DeveloperWallet = WalletParts & {
  readonly store: Store<WalletState>
  readonly balances: Balances
  readonly memory: Memory
  /** The wallet side of the protocol; nothing while the owner is offline. */
  protocol: Wallet | undefined
  /** What was carried out but could not be told yet, by the key of its ask: it must not be done a second time. */
  readonly undelivered: Map<string, Answer>
  /** Forgets the next look at what may have expired. */
  stopWatching(): void
  /** Runs one task after the other, so that two transactions never take the same nonce. */
  inTurn<result>(task: () => Promise<result>): Promise<result>
}

/**
 * Makes the wallet. It dials nothing before `start(wallet)`.
 *
 * @example
 * const wallet = createDeveloperWallet({ config, families: [evm()], storage: pageStorage(), clock: systemClock, open })
 * start(wallet)
 */
export function createDeveloperWallet(parts: WalletParts): DeveloperWallet {
  const { config, families, storage, clock } = parts
  const memory = createMemory(storage)
  let last: Promise<unknown> = Promise.resolve()
  return {
    ...parts,
    memory,
    balances: createBalances({ families, tokens: config.tokens, clock }),
    protocol: undefined,
    undelivered: new Map(),
    stopWatching: () => {},
    store: createStore<WalletState>({
      link: 'idle',
      apps: [],
      asks: [],
      settings: memory.settings(),
      networks: allNetworks(config, memory),
      notice: undefined,
      pairing: { status: 'idle' },
    }),
    inTurn(task) {
      const turn = last.then(task)
      last = turn.catch(() => {})
      return turn
    },
  }
}

/** Replaces a part of the state. */
export function change({ store }: DeveloperWallet, part: Partial<WalletState>): void {
  store.set({ ...store.get(), ...part })
}

/** The networks of the deployment, then those that apps added. */
export function allNetworks(config: WalletConfig, memory: Memory): readonly Network[] {
  const own = new Set(config.networks.map(({ caipNetworkId }) => caipNetworkId))
  return [...config.networks, ...memory.networks().filter(({ caipNetworkId }) => !own.has(caipNetworkId))]
}

/** The account of a namespace that the owner selected, or its first. */
export function selectedAccount({ store }: Pick<DeveloperWallet, 'store'>, { namespace, accounts }: Family): Account {
  const address = store.get().settings.selected[namespace]
  return accounts.find((account) => account.address === address) ?? accounts[0]
}
