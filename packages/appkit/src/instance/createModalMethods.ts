import { getAccount } from '@latchkey/core'
import {
  closeModal,
  modalOf,
  openModal,
  replaceView,
  resetView,
  showPairingUri,
  showToast,
  type ViewEntry,
} from '@latchkey/modal'
import type { Namespace } from '@latchkey/protocol'
import type { AppKitContext } from './appKitContext.ts'
import type { SwapArguments } from './fillSwap.ts'

/** The views that `open` accepts. */
export type AppKitView =
  | 'Account'
  | 'Connect'
  | 'Networks'
  | 'ApproveTransaction'
  | 'OnRampProviders'
  | 'ConnectingWalletConnectBasic'
  | 'Swap'
  | 'WhatIsAWallet'
  | 'WhatIsANetwork'
  | 'AllWallets'
  | 'WalletSend'
  | 'ProfileWallets'

export type AppKitOpenOptions = {
  view?: AppKitView
  namespace?: Namespace
  /** A pairing URI that the app created, to show as a QR code. */
  uri?: string
  /** The amount and the tokens of `Swap`, by their CAIP-10 ids. Other views take none: the user enters the values. */
  arguments?: SwapArguments
}

export type ModalMethods = {
  /** Opens the modal. Resolves when it is open. */
  open(options?: AppKitOpenOptions): Promise<void>
  /** Closes the modal. It stays open while the view requires a decision. */
  close(): Promise<void>
  isOpen(): boolean
  /** Resolves when the instance can be used. */
  ready(): Promise<void>
  setLoading(loading: boolean, namespace?: Namespace): void
  showErrorMessage(message: string): void
  showSuccessMessage(message: string): void
  /** Replaces the view on screen. */
  replace(view: AppKitView): void
  /** Shows a view and clears the history. */
  redirect(view: AppKitView): void
}

/** Creates the methods that open and change the modal. */
export function createModalMethods({ latchkey, options, progress }: AppKitContext): ModalMethods {
  const first = (): AppKitView | undefined => {
    const isConnected = getAccount(latchkey).status === 'connected'
    return options.getState().manualWCControl === true && !isConnected ? 'ConnectingWalletConnectBasic' : undefined
  }
  return {
    async open({ view = first(), namespace, uri, arguments: values } = {}) {
      const shown = uri === undefined ? view : (view ?? 'ConnectingWalletConnectBasic')
      openModal(latchkey, { namespace, entry: toEntry(shown, namespace) })
      if (uri !== undefined) showPairingUri(latchkey, uri)
      if (shown !== 'Swap' || values === undefined) return
      const { fillSwap } = await import('./fillSwap.ts')
      await fillSwap({ latchkey }, values)
    },
    close: async () => closeModal(latchkey),
    isOpen: () => modalOf(latchkey).state.getState().open,
    ready: async () => {},
    setLoading: (loading) => progress.setState({ loading }),
    showErrorMessage: (message) => showToast(latchkey, message, { variant: 'error' }),
    showSuccessMessage: (message) => showToast(latchkey, message),
    replace: (view) => replaceView(latchkey, toEntry(view) ?? { view: 'Connect', params: {} }),
    redirect: (view) => resetView(latchkey, toEntry(view) ?? { view: 'Connect', params: {} }),
  }
}

function toEntry(view: AppKitView | undefined, namespace?: Namespace): ViewEntry | undefined {
  if (view === undefined || (view === 'Connect' && namespace !== undefined)) return undefined
  return { view, params: {} }
}
