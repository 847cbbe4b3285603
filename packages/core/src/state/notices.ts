import type { LatchkeyError, WalletListEntry } from '@latchkey/protocol'
import type { StoreApi } from 'zustand/vanilla'

/** A short notice that goes by itself. */
export type ToastState =
  | { open: false }
  | {
      open: true
      message: string
      variant: 'success' | 'error' | 'loading'
      autoClose: boolean
      said?: SaidByModal
      link?: ToastLink
    }

/** Where a notice leads, in the words of who shows it. */
export type ToastLink = { readonly label: string; readonly href: string }

/** Notices of the core, which a modal says in its own language. */
export type SaidByModal = 'signInDeclined' | 'signInNotBegun'

/** A fault of the app or its surroundings. Each kind is shown once, however often it happens. */
export type Alert = { code: AlertCode; dismissed: boolean }

/** The faults that are worth an alert. */
export type AlertCode =
  | 'invalid-app-configuration'
  | 'session-expired'
  | 'network-not-found'
  /** The wallet is on a network that the app does not offer; taken away when it is back. */
  | 'network-unsupported'
  | 'project-id-not-configured'
  | 'storage-unavailable'

/** The link that a phone wallet scans or opens. */
export type PairingState =
  | { status: 'idle' }
  | { status: 'waiting'; wallet: WalletListEntry | undefined }
  | { status: 'ready'; wallet: WalletListEntry | undefined; uri: string }
  | { status: 'failed'; wallet: WalletListEntry | undefined; error: LatchkeyError }

/** Adds an alert unless its kind was shown before. */
export function addAlert(alerts: StoreApi<readonly Alert[]>, code: AlertCode): void {
  if (alerts.getState().some((alert) => alert.code === code)) return
  alerts.setState([...alerts.getState(), { code, dismissed: false }], true)
}
