import type { AccountId, ChainId, ErrorCode, Namespace } from '@latchkey/protocol'
import type { EndReason } from '../contracts/connector.ts'

/** A fault of the app or its environment. */
export type ProblemCode =
  | 'invalid-app-configuration'
  /** The embedded wallet can't be loaded, most likely because its frame does not allow this origin. */
  | 'embedded-wallet-blocked'
  | 'session-expired'
  | 'network-not-found'
  | 'project-id-not-configured'
  | 'storage-unavailable'

/** The outcome of a settled transaction. `reorged`: the chain dropped its block again. */
export type TransactionResult = 'mined' | 'reverted' | 'replaced' | 'reorged'

/** The same transaction with a higher fee, an empty one that cancels it, or something else. */
export type ReplacementKind = 'repriced' | 'cancelled' | 'other'

/** The payload of each event by type. Packages above core add their own events by declaration merging. */
// oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
export interface LatchkeyEventPayloads {
  connect: { connectorId: string; account: AccountId; restored: boolean }
  'connect-error': { connectorId: string; code: ErrorCode | undefined }
  /** Has a reason if a wallet ended the connection and the cause is known. */
  disconnect: { namespace: Namespace; by: 'user' | 'wallet' | 'other-tab'; reason?: EndReason }
  /** One of several wallets of a namespace disconnected. Another one stays connected. */
  'wallet-left': { namespace: Namespace; connectorId: string; by: 'user' | 'wallet' | 'other-tab' }
  /** The active account of a namespace changed. */
  account: { account: AccountId }
  network: { chainId: ChainId }
  /** The active namespace is about to change. */
  'namespace-change': { namespace: Namespace }
  /** The active account is on a network that the app does not offer. */
  'network-unsupported': { chainId: ChainId }
  /** The active account is back on a network that the app offers. */
  'network-supported': { chainId: ChainId }
  /** The active account has no session: ask the user to sign in. */
  'sign-in-required': { account: AccountId; required: boolean }
  'sign-in': { account: AccountId }
  'sign-in-error': { during: 'lookup' | 'signing'; account: AccountId; code: ErrorCode | undefined }
  'sign-in-cancel': object
  'sign-out': { account: AccountId }
  /** A wallet wants to show one of its own screens, or no longer does. */
  'login-screen': { connectorId: string; isWanted: boolean }
  /** A page asked an embedded wallet for a method that it never allows. The request was rejected. */
  'login-not-allowed': { connectorId: string; method: string }
  /** The wallet is about to be asked to send a payment. */
  'send-request': { chainId: ChainId; from: AccountId }
  /** The wallet sent a payment. */
  send: { chainId: ChainId; from: AccountId; hash: string }
  /** A payment was not sent. */
  'send-error': { message: string; code: ErrorCode | undefined }
  /** A transaction of this page has settled. A replaced one has the hash of its replacement and what that is. */
  transaction: {
    chainId: ChainId
    from: AccountId
    hash: string
    status: TransactionResult
    by?: string
    how?: ReplacementKind
  }
  problem: { code: ProblemCode }
}

/** Everything that an instance reports. */
export type LatchkeyEvent = {
  [type in keyof LatchkeyEventPayloads]: { type: type } & LatchkeyEventPayloads[type]
}[keyof LatchkeyEventPayloads]

/** Receives the events of an instance. */
export type LatchkeyEventListener = (event: LatchkeyEvent) => void

/** The events of one instance. */
export type Emitter = {
  emit(event: LatchkeyEvent): void
  /** Calls the listener for every event. Returns a function that stops it. */
  subscribe(listener: LatchkeyEventListener): () => void
}

/** Creates an emitter. A listener that throws is logged, and the other listeners still run. */
export function createEmitter(): Emitter {
  const listeners = new Set<LatchkeyEventListener>()
  return {
    emit(event) {
      for (const listener of listeners) {
        try {
          listener(event)
        } catch (error) {
          console.error(error)
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
