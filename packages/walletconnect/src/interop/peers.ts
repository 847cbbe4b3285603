import type { AccountId } from '@latchkey/protocol'

/** A session, as either side sees it. */
export type SessionView = {
  readonly topic: string
  /** The other side's name. */
  readonly peer: string
  readonly accounts: readonly string[]
  /** Unix seconds. */
  readonly expiry: number
}

/** What a peer heard from the other side without asking. */
export type Heard = {
  readonly events: unknown[]
  /** Topics of sessions that the other side deleted, or that expired. */
  readonly ended: string[]
}

type AnyPeer = {
  readonly heard: Heard
  sessions(): readonly SessionView[]
  ping(topic: string): Promise<void>
  disconnect(topic: string): Promise<void>
  /** Goes away without a word; what it stored stays. */
  leave(): Promise<void>
}

/** A dapp in the matrix, whoever made it. */
export type DappPeer = AnyPeer & {
  /** Proposes a session; `settled` rejects with what the wallet said. */
  propose(): Promise<{ readonly uri: string; readonly settled: Promise<SessionView> }>
  /** Asks the wallet; rejects with an error that tells the wallet's code, see `codeOf`. */
  request(topic: string, request: { method: string; params: unknown }): Promise<unknown>
}

/** A proposal in the hand of a wallet. */
export type Proposed = {
  readonly dapp: string
  approve(accounts: readonly AccountId[]): Promise<void>
  reject(): Promise<void>
}

/** A request in the hand of a wallet. */
export type Asked = {
  readonly method: string
  readonly params: unknown
  readonly chainId: string
  answer(result: unknown): Promise<void>
  refuse(error: { code: number; message: string }): Promise<void>
}

/** A wallet in the matrix, whoever made it. */
export type WalletPeer = AnyPeer & {
  readonly proposed: readonly Proposed[]
  readonly asked: readonly Asked[]
  pair(uri: string): Promise<void>
  update(topic: string, accounts: readonly AccountId[]): Promise<void>
  extend(topic: string): Promise<void>
  emit(topic: string, event: { name: string; data: unknown }): Promise<void>
}

/** Where a peer keeps what outlives it. */
export type Store = Map<string, unknown>

/** Where a peer lives: the relay it dials, and what it remembers. */
export type Place = { readonly relayUrl: string; readonly store: Store }

/** What all sessions of the matrix are about. */
export const terms = {
  chain: 'eip155:1',
  methods: ['personal_sign', 'eth_sendTransaction'],
  events: ['chainChanged', 'accountsChanged'],
  projectId: 'ab'.repeat(16),
} as const

export const metadata = (name: string): { name: string; description: string; url: string; icons: string[] } => ({
  name,
  description: '',
  url: `https://${name.toLowerCase().replaceAll(' ', '-')}.example`,
  icons: [],
})

/** The number that the other side refused with, wherever a client keeps it. */
export function codeOf(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return undefined
  const code: unknown = Reflect.get(error, 'code')
  if (typeof code === 'number') return code
  const context: unknown = Reflect.get(error, 'context')
  return codeOf(context) ?? codeOf(Reflect.get(error, 'cause'))
}
