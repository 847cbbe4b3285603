import type { Latchkey, LatchkeyEvent } from '@latchkey/core'
import { defineFeature, getFeature } from '@latchkey/core/internal'
import type { PendingTransaction, TrackedOutcome } from '@latchkey/core/money'
import type { Namespace } from '@latchkey/protocol'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ModalState } from './navigation/modalState.ts'
import type { AlertState } from './notices/alertState.ts'
import type { ToastState } from './notices/toastState.ts'
import type { PairingState } from './pairing/pairingState.ts'

/** The number of pending transactions as a text in the current language, by namespace. No entry if there are none. */
export type PendingTexts = { readonly [namespace in Namespace]?: string }

/** A transaction whose outcome is reported. Its purpose and what it replaces decide the text. */
export type ReportedTransaction = Pick<PendingTransaction, 'chainId' | 'hash'> &
  Partial<Pick<PendingTransaction, 'what' | 'replaces'>>

/** Work in progress that something must be able to cancel. */
export type ModalTasks = {
  /** Calls of `attachModal` that were not ended. */
  attachments: number
  /** Ends the subscriptions of `attachModal`. */
  detach: () => void
  /** The wait for a phone wallet. */
  pairing?: AbortController | undefined
  /** Cancels pending timers. */
  timers: Map<'toast' | 'shake' | 'farcaster', () => void>
  /** Handles the events of the instance, once its code is loaded. */
  handleEvent?: (latchkey: Latchkey, event: LatchkeyEvent) => void
  /** The events until then, in order. */
  waitingEvents: LatchkeyEvent[]
  /** Stops watching if the screen of a wallet is still shown. */
  stopFollowingLogins: () => void
  /** Ids of the connectors whose own screen is shown. */
  loginScreens: Set<string>
  /** Stops following the swap views. */
  stopFollowingSwap?: () => void
  /** Reports the outcome of a transaction whose views may be closed, once `followPayments` runs. */
  reportOutcome?: ((of: ReportedTransaction, outcome: TrackedOutcome) => void) | undefined
}

/** The modal of one instance: its navigation, notices and pairing. */
export type Modal = {
  readonly state: StoreApi<ModalState>
  /** The number of places in the page that draw the modal. With none, it floats above the page. See `embedModal`. */
  readonly embeds: StoreApi<number>
  readonly pairing: StoreApi<PairingState>
  /** The link that continues a Farcaster login on the phone. */
  readonly farcasterUrl: StoreApi<{ url: string | undefined }>
  readonly toast: StoreApi<ToastState>
  readonly alerts: StoreApi<readonly AlertState[]>
  /** The pending transactions for the buttons. `followPayments` writes them, so that a button loads no code for them. */
  readonly pendingTexts: StoreApi<PendingTexts>
  readonly tasks: ModalTasks
}

const modalFeature = defineFeature((): Modal => ({
  state: createStore<ModalState>(() => ({ open: false })),
  embeds: createStore(() => 0),
  pairing: createStore<PairingState>(() => ({ status: 'idle' })),
  farcasterUrl: createStore<{ url: string | undefined }>(() => ({ url: undefined })),
  toast: createStore<ToastState>(() => ({ open: false })),
  alerts: createStore<readonly AlertState[]>(() => []),
  pendingTexts: createStore<PendingTexts>(() => ({})),
  tasks: {
    attachments: 0,
    waitingEvents: [],
    detach: () => {},
    timers: new Map(),
    stopFollowingLogins: () => {},
    loginScreens: new Set(),
  },
}))

/**
 * Returns the modal of an instance, creating it on first use.
 *
 * @example modalOf(latchkey).state.subscribe(({ open }) => show(open))
 */
export function modalOf(latchkey: Latchkey): Modal {
  return getFeature(latchkey, modalFeature)
}
