import { classifyMethod, createErrors, type Namespace } from '@latchkey/protocol'
import type { Latchkey } from '../latchkey.ts'
import {
  backCloses,
  chooseHome,
  currentEntry,
  navigate,
  type ModalEvent,
  type ModalState,
  type ModalSurroundings,
} from '../modal/modal.ts'
import type { ViewEntry, ViewName } from '../modal/views.ts'
import { standing } from '../state/connections.ts'
import { getAccount, stateOf } from '../state/wallet.ts'
import { abandonPairing } from './abandonPairing.ts'
import { setActiveNamespace } from './setActiveNamespace.ts'

const coreError = createErrors({
  'request/closed': ({ method }) => `The window was closed before ${method} was approved. Ask again.`,
})

const shakeMilliseconds = 500
const farcasterMilliseconds = 100

export type OpenOptions = {
  /** The view to begin with; chosen by the situation when left out. */
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
  latchkey.running.leaveViews = () => leaveAccountViews(latchkey)
  const state = send(latchkey, { type: 'open', entry })
  if (state.open) latchkey.events.emit({ type: 'modal-open', view: currentEntry(state).view })
}

/** Shows a view on top of the present one; the present view itself is not pushed twice. */
export function pushView(latchkey: Latchkey, entry: ViewEntry): void {
  send(latchkey, { type: 'push', entry })
}

/** Shows a view in place of the present one. */
export function replaceView(latchkey: Latchkey, entry: ViewEntry): void {
  send(latchkey, { type: 'replace', entry })
}

/** Shows a view and forgets how the visitor came here. */
export function resetView(latchkey: Latchkey, entry: ViewEntry): void {
  send(latchkey, { type: 'reset', entry })
}

/**
 * Draws the modal in the page instead of above it, as long as the returned function is not called. It is open all
 * that time: closing it goes to the account, or to the ways to connect.
 *
 * @example useEffect(() => embedModal(latchkey), [latchkey])
 */
export function embedModal(latchkey: Latchkey): () => void {
  latchkey.embeds.setState((embeds) => embeds + 1, true)
  openModal(latchkey)
  let ended = false
  return () => {
    if (ended) return
    ended = true
    latchkey.embeds.setState((embeds) => embeds - 1, true)
    if (latchkey.embeds.getState() === 0) dismissModal(latchkey)
  }
}

/** Tells that the first view is on screen. */
export function modalReady(latchkey: Latchkey): void {
  send(latchkey, { type: 'ready' })
}

/** Goes back one view, or closes the modal where there is none to go back to. */
export function goBack(latchkey: Latchkey): void {
  const before = latchkey.modal.getState()
  if (!before.open) return
  const after = send(latchkey, { type: 'back' })
  if (backCloses(before)) leave(latchkey, before, after)
  const left = currentEntry(before).view
  if (left === 'ConnectingFarcaster' && getAccount(latchkey).status !== 'connected') abandonFarcaster(latchkey)
}

/** Closes the modal, unless the view on screen still needs an answer: then it shakes. */
export function closeModal(latchkey: Latchkey): void {
  const before = latchkey.modal.getState()
  leave(latchkey, before, send(latchkey, { type: 'close' }))
}

/** Closes the modal also where a visitor could not, because its question is answered. */
export function dismissModal(latchkey: Latchkey): void {
  const before = latchkey.modal.getState()
  leave(latchkey, before, send(latchkey, { type: 'dismiss' }))
}

/** A connection that came back by itself takes the place of the ways to connect, where nobody has gone further yet. */
export function welcomeBack(latchkey: Latchkey): void {
  const state = latchkey.modal.getState()
  if (!state.open || state.history.length > 1 || currentEntry(state).view !== 'Connect') return
  resetView(latchkey, { view: 'Account', params: {} })
}

const accountViews: readonly ViewName[] = ['Account', 'AccountSettings', 'Networks', 'UnsupportedChain']

/** Leaves the views that make no sense without an account. */
function leaveAccountViews(latchkey: Latchkey): void {
  const state = latchkey.modal.getState()
  const { active } = latchkey.wallet.getState()
  if (!state.open || (active !== undefined && standing(stateOf(latchkey, active)) !== undefined)) return
  const { view } = currentEntry(state)
  if (accountViews.includes(view)) dismissModal(latchkey)
}

/**
 * Registers a wallet request that waits for an approval in the modal: closing the modal rejects it
 * when the method is one that needs approval.
 *
 * @returns what to call when the request was answered
 */
export function holdRequest(latchkey: Latchkey, method: string, reject: (error: Error) => void): () => void {
  const request = { method, reject }
  latchkey.running.held.add(request)
  return () => void latchkey.running.held.delete(request)
}

function send(latchkey: Latchkey, event: ModalEvent): ModalState {
  const before = latchkey.modal.getState()
  const after = navigate(before, event, surroundings(latchkey))
  if (after !== before) latchkey.modal.setState(after, true)
  return after
}

function surroundings(latchkey: Latchkey): ModalSurroundings {
  const { isMobile } = latchkey.settings
  const signIn = latchkey.signIn.getState()
  const account = getAccount(latchkey)
  const connected = account.status === 'connected'
  return {
    connected,
    networkPending: connected && !account.supported && latchkey.settings.unsupportedNetworks === 'require',
    embedded: latchkey.embeds.getState() > 0,
    signInPending: connected && signIn.status !== 'off' && signIn.status !== 'signed' && signIn.required,
    home: chooseHome({ connected, adapters: latchkey.adapters.length, mobile: isMobile() }),
  }
}

/** What closing means beyond the view: requests that waited for it are rejected, and a link on show is void. */
function leave(latchkey: Latchkey, before: ModalState, after: ModalState): void {
  if (!before.open) return
  if (after.open && after.shaking) return shake(latchkey)
  for (const request of latchkey.running.held) {
    if (classifyMethod(request.method) !== 'unsafe') continue
    latchkey.running.held.delete(request)
    request.reject(coreError('request/closed', { method: request.method }))
  }
  abandonPairing(latchkey)
  latchkey.events.emit({ type: 'modal-close' })
}

function shake(latchkey: Latchkey): void {
  latchkey.running.timers.get('shake')?.()
  latchkey.running.timers.set(
    'shake',
    latchkey.clock.after(shakeMilliseconds, () => void send(latchkey, { type: 'shaken' })),
  )
}

/** The link of an abandoned Farcaster login is void, and its frame starts afresh. */
function abandonFarcaster(latchkey: Latchkey): void {
  latchkey.farcasterUrl.setState({ url: undefined }, true)
  latchkey.running.timers.get('farcaster')?.()
  latchkey.running.timers.set(
    'farcaster',
    latchkey.clock.after(farcasterMilliseconds, () => {
      for (const connector of latchkey.connectors.getState()) connector.reload?.()
    }),
  )
}
