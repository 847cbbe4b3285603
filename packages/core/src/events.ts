import type { AccountId, ChainId, ErrorCode, Namespace } from '@latchkey/protocol'
import type { ViewName } from './modal/views.ts'

/** What an instance tells the app, and nobody else. */
export type LatchkeyEvent =
  | { type: 'modal-open'; view: ViewName }
  | { type: 'modal-close' }
  | { type: 'connect'; connectorId: string; account: AccountId; restored: boolean }
  | { type: 'connect-error'; connectorId: string; code: ErrorCode | undefined }
  | { type: 'disconnect'; namespace: Namespace; by: 'visitor' | 'wallet' | 'other-tab' }
  /** One of several wallets of a namespace left; another one stands. */
  | { type: 'wallet-left'; namespace: Namespace; connectorId: string; by: 'visitor' | 'wallet' | 'other-tab' }
  | { type: 'account'; account: AccountId }
  | { type: 'network'; chainId: ChainId }
  | { type: 'sign-in'; account: AccountId }
  | { type: 'sign-in-error'; during: 'looking' | 'signing'; account: AccountId; code: ErrorCode | undefined }
  | { type: 'sign-in-cancel' }
  | { type: 'sign-out'; account: AccountId }
  /** A payment went out. */
  | { type: 'send'; chainId: ChainId; from: AccountId; hash: string }
  /** A payment did not go out, and why. */
  | { type: 'send-error'; message: string; code: ErrorCode | undefined }
  /** How a transaction of this page ended. */
  | { type: 'transaction'; chainId: ChainId; from: AccountId; hash: string; status: 'mined' | 'reverted' | 'replaced' }

export type Emitter = {
  emit(event: LatchkeyEvent): void
  /** Follows all events; returns what stops it. */
  subscribe(listener: (event: LatchkeyEvent) => void): () => void
}

/** A listener that throws is the app's mistake: it is reported, and stops nobody else. */
export function createEmitter(): Emitter {
  const listeners = new Set<(event: LatchkeyEvent) => void>()
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
