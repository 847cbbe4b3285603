import type { AccountId } from '@latchkey/protocol'

/** A session, as one side sees it. */
export type SessionView = {
  readonly topic: string
  /** The other side's name. */
  readonly peer: string
  readonly accounts: readonly string[]
  /** Unix seconds. */
  readonly expiry: number
}

/** The events that a peer received from the other side. */
export type ReceivedEvents = {
  readonly events: unknown[]
  /** Topics of sessions that the other side deleted, or that expired. */
  readonly ended: string[]
}

type AnyPeer = {
  readonly received: ReceivedEvents
  sessions(): readonly SessionView[]
  ping(topic: string): Promise<void>
  disconnect(topic: string): Promise<void>
  /** Stops without a message to the other side. Its store stays. */
  stop(): Promise<void>
}

/** A dapp in the matrix, ours or theirs. */
export type DappPeer = AnyPeer & {
  /** Proposes a session. `settled` rejects with the wallet's error. */
  propose(): Promise<{ readonly uri: string; readonly settled: Promise<SessionView> }>
  /** Sends a request. Rejects with an error that contains the wallet's code, see `codeOf`. */
  request(topic: string, request: { method: string; params: unknown }): Promise<unknown>
}

/** A proposal that a wallet received. */
export type ReceivedProposal = {
  readonly dapp: string
  approve(accounts: readonly AccountId[]): Promise<void>
  reject(): Promise<void>
}

/** A request that a wallet received. */
export type ReceivedRequest = {
  readonly method: string
  readonly params: unknown
  readonly chainId: string
  respond(result: unknown): Promise<void>
  reject(error: { code: number; message: string }): Promise<void>
}

/** A wallet in the matrix, ours or theirs. */
export type WalletPeer = AnyPeer & {
  readonly proposals: readonly ReceivedProposal[]
  readonly requests: readonly ReceivedRequest[]
  pair(uri: string): Promise<void>
  update(topic: string, accounts: readonly AccountId[]): Promise<void>
  extend(topic: string): Promise<void>
  emit(topic: string, event: { name: string; data: unknown }): Promise<void>
}

/** The storage of a peer, which outlives it. */
export type Store = Map<string, unknown>

/** The environment of a peer: its relay and its storage. */
export type PeerEnvironment = { readonly relayUrl: string; readonly store: Store }

/** The content of all sessions in the matrix. */
export const sessionTerms = {
  chain: 'eip155:1',
  methods: ['personal_sign', 'eth_sendTransaction'],
  events: ['chainChanged', 'accountsChanged'],
  projectId: 'ab'.repeat(16),
} as const

export const createMetadata = (name: string): { name: string; description: string; url: string; icons: string[] } => ({
  name,
  description: '',
  url: `https://${name.toLowerCase().replaceAll(' ', '-')}.example`,
  icons: [],
})

/** Finds the error code of the other side. Clients keep it in different places. */
export function codeOf(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return undefined
  const code: unknown = Reflect.get(error, 'code')
  if (typeof code === 'number') return code
  const context: unknown = Reflect.get(error, 'context')
  return codeOf(context) ?? codeOf(Reflect.get(error, 'cause'))
}
