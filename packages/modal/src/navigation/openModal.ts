import type { Namespace } from '@latchkey/protocol'
import { getAccount, setActiveNamespace, type Latchkey } from '@latchkey/core'
import { closeApprovals, connectedWallet, internalsOf } from '@latchkey/core/internal'
import { modalOf } from '../modal.ts'
import { abandonPairing } from '../pairing/abandonPairing.ts'
import {
  canBackClose,
  chooseHome,
  currentEntry,
  navigate,
  type ModalEvent,
  type ModalState,
  type ModalSurroundings,
} from './modalState.ts'
import type { ViewEntry, ViewName } from './views.ts'

const shakeMilliseconds = 500
const farcasterMilliseconds = 100

export type OpenOptions = {
  /** The first view. Defaults to the view that fits the state. */
  entry?: ViewEntry
  /** The namespace to connect or to show. */
  namespace?: Namespace
}

/**
 * Opens the modal.
 *
 * @example openModal(latchkey, { entry: { view: 'Networks', params: {} } })
 */
export function openModal(latchkey: Latchkey, { entry, namespace }: OpenOptions = {}): void {
  if (namespace !== undefined) setActiveNamespace(latchkey, namespace)
  const state = dispatchModal(latchkey, { type: 'open', entry: entry ?? chooseConnect(latchkey, namespace) })
  if (state.open) latchkey.events.emit({ type: 'modal-open', view: currentEntry(state).view })
}

/**
 * Returns the state in which the modal would open with the wallets to connect, so that they can be rendered before it opens.
 *
 * @returns `undefined` if the modal would open with another view
 * @example const prepared = prepareModal(latchkey)
 */
export function prepareModal(latchkey: Latchkey): (ModalState & { open: true }) | undefined {
  const state = navigate({ open: false }, { type: 'open', entry: undefined }, modalSurroundings(latchkey))
  return state.open && currentEntry(state).view === 'Connect' ? { ...state, loading: false } : undefined
}

/** Returns the wallets of a namespace to connect, if the modal would otherwise open with all wallets. */
function chooseConnect(latchkey: Latchkey, namespace: Namespace | undefined): ViewEntry | undefined {
  if (namespace === undefined || modalSurroundings(latchkey).home.view !== 'Connect') return undefined
  return { view: 'Connect', params: { namespace } }
}

/**
 * Returns the namespace that the user connects a wallet for, if the app or the user chose one.
 *
 * @example const { injected } = listWallets(latchkey, { namespace: requestedNamespace(latchkey) })
 */
export function requestedNamespace(latchkey: Latchkey): Namespace | undefined {
  const state = modalOf(latchkey).state.getState()
  const entry = state.open ? state.history.findLast(({ view }) => view === 'Connect') : undefined
  return entry?.view === 'Connect' ? entry.params.namespace : undefined
}

/**
 * Shows a view on top of the current one. The current view itself is not pushed twice.
 *
 * @example pushView(latchkey, { view: 'Networks', params: {} })
 */
export function pushView(latchkey: Latchkey, entry: ViewEntry): void {
  dispatchModal(latchkey, { type: 'push', entry })
}

/**
 * Shows a view in place of the current one.
 *
 * @example replaceView(latchkey, { view: 'Account', params: {} })
 */
export function replaceView(latchkey: Latchkey, entry: ViewEntry): void {
  dispatchModal(latchkey, { type: 'replace', entry })
}

/**
 * Shows a view and clears the history.
 *
 * @example resetView(latchkey, { view: 'Account', params: {} })
 */
export function resetView(latchkey: Latchkey, entry: ViewEntry): void {
  dispatchModal(latchkey, { type: 'reset', entry })
}

/**
 * Shows the modal inside the page instead of above it. It stays open: closing it leads to the account or to the wallets.
 *
 * @returns a function that ends it
 * @example const stop = embedModal(latchkey)
 */
export function embedModal(latchkey: Latchkey): () => void {
  modalOf(latchkey).embeds.setState((embeds) => embeds + 1, true)
  openModal(latchkey)
  let ended = false
  return () => {
    if (ended) return
    ended = true
    modalOf(latchkey).embeds.setState((embeds) => embeds - 1, true)
    if (modalOf(latchkey).embeds.getState() === 0) dismissModal(latchkey)
  }
}

/**
 * Reports that the first view is on screen.
 *
 * @example modalReady(latchkey)
 */
export function modalReady(latchkey: Latchkey): void {
  dispatchModal(latchkey, { type: 'ready' })
}

/**
 * Goes back one view, or closes the modal if there is none.
 *
 * @example goBack(latchkey)
 */
export function goBack(latchkey: Latchkey): void {
  const before = modalOf(latchkey).state.getState()
  if (!before.open) return
  const after = dispatchModal(latchkey, { type: 'back' })
  if (canBackClose(before)) finishLeaving(latchkey, before, after)
  const left = currentEntry(before).view
  if (left === 'ConnectingFarcaster' && getAccount(latchkey).status !== 'connected') clearFarcasterUrl(latchkey)
}

/**
 * Closes the modal. If the user must decide first, it shakes instead.
 *
 * @example closeModal(latchkey)
 */
export function closeModal(latchkey: Latchkey): void {
  const before = modalOf(latchkey).state.getState()
  finishLeaving(latchkey, before, dispatchModal(latchkey, { type: 'close' }))
}

/**
 * Closes the modal in any case.
 *
 * @example dismissModal(latchkey)
 */
export function dismissModal(latchkey: Latchkey): void {
  const before = modalOf(latchkey).state.getState()
  finishClosing(latchkey, before, dispatchModal(latchkey, { type: 'dismiss' }))
}

/** Shows the account in place of the first view after a connection was restored. */
export function welcomeBack(latchkey: Latchkey): void {
  const state = modalOf(latchkey).state.getState()
  if (!state.open || state.history.length > 1 || currentEntry(state).view !== 'Connect') return
  resetView(latchkey, { view: 'Account', params: {} })
}

const accountViews: readonly ViewName[] = ['Account', 'AccountSettings', 'Networks', 'UnsupportedChain']

/** Closes views that need an account. */
export function leaveAccountViews(latchkey: Latchkey): void {
  const state = modalOf(latchkey).state.getState()
  if (!state.open || state.switchingNamespace || isActiveConnected(latchkey)) return
  const { view } = currentEntry(state)
  if (accountViews.includes(view)) dismissModal(latchkey)
}

function isActiveConnected({ wallet }: Pick<Latchkey, 'wallet'>): boolean {
  const { active, namespaces } = wallet.getState()
  return active !== undefined && connectedWallet(namespaces[active]) !== undefined
}

/**
 * Marks that the account on show changes because its namespace does, not because it was lost [R4.2.1]. The switch is done
 * when a wallet is connected in the new namespace.
 */
export function markNamespaceSwitch(latchkey: Latchkey, switching: boolean): void {
  const state = modalOf(latchkey).state.getState()
  if (state.open && state.switchingNamespace !== switching) dispatchModal(latchkey, { type: 'namespace', switching })
}

function dispatchModal(latchkey: Latchkey, event: ModalEvent): ModalState {
  const before = modalOf(latchkey).state.getState()
  const after = navigate(before, event, modalSurroundings(latchkey))
  if (after !== before) modalOf(latchkey).state.setState(after, true)
  return after
}

function modalSurroundings(latchkey: Latchkey): ModalSurroundings {
  const { isMobile } = internalsOf(latchkey).settings
  const signIn = latchkey.signIn.getState()
  const account = getAccount(latchkey)
  const connected = account.status === 'connected'
  return {
    connected,
    networkPending: connected && !account.supported && internalsOf(latchkey).settings.unsupportedNetworks === 'require',
    embedded: modalOf(latchkey).embeds.getState() > 0,
    signInPending: connected && signIn.status !== 'off' && signIn.status !== 'signed' && signIn.required,
    home: chooseHome({ connected, adapters: latchkey.adapters.length, mobile: isMobile() }),
  }
}

/** Completes closing by the user, who no longer waits for the approvals that are pending [R2.2.7]. */
function finishLeaving(latchkey: Latchkey, before: ModalState, after: ModalState): void {
  const isClosed = before.open && !(after.open && after.shaking)
  finishClosing(latchkey, before, after)
  if (isClosed) closeApprovals(latchkey)
}

/** Completes closing: invalidates the pairing link. */
function finishClosing(latchkey: Latchkey, before: ModalState, after: ModalState): void {
  if (!before.open) return
  if (after.open && after.shaking) return shakeModal(latchkey)
  abandonPairing(latchkey)
  latchkey.events.emit({ type: 'modal-close' })
}

function shakeModal(latchkey: Latchkey): void {
  modalOf(latchkey).tasks.timers.get('shake')?.()
  modalOf(latchkey).tasks.timers.set(
    'shake',
    internalsOf(latchkey).clock.after(shakeMilliseconds, () => void dispatchModal(latchkey, { type: 'shaken' })),
  )
}

/** Invalidates the link of an abandoned Farcaster login, and reloads its frame. */
function clearFarcasterUrl(latchkey: Latchkey): void {
  modalOf(latchkey).farcasterUrl.setState({ url: undefined }, true)
  modalOf(latchkey).tasks.timers.get('farcaster')?.()
  modalOf(latchkey).tasks.timers.set(
    'farcaster',
    internalsOf(latchkey).clock.after(farcasterMilliseconds, () => {
      for (const connector of latchkey.connectors.getState()) connector.reload?.()
    }),
  )
}
