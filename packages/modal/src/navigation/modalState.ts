import { isApproval, type ViewEntry, type ViewName } from './views.ts'

/** The direction that a view enters from: `next` from the end side, `prev` from the start side. */
export type Direction = 'next' | 'prev'

/** The state of the modal. The last entry of the history is the view on screen. */
export type ModalState =
  | { open: false }
  | {
      open: true
      history: readonly [ViewEntry, ...ViewEntry[]]
      direction: Direction
      /** True from opening until the first view is on screen. */
      loading: boolean
      /** True for half a second after closing was refused. */
      shaking: boolean
      /** True while the user switches to a network of another namespace. */
      switchingNamespace: boolean
    }

/** The facts that the navigation needs about the instance, read for each event. */
export type ModalSurroundings = {
  connected: boolean
  /** True if the modal is embedded in the page. It never closes then. */
  embedded: boolean
  /** True if a sign-in is required and there is no session. */
  signInPending: boolean
  /** True if the wallet must switch its network first. */
  networkPending?: boolean
  /** The entry to show by default. */
  home: ViewEntry
}

export type ModalEvent =
  | { type: 'open'; entry: ViewEntry | undefined }
  | { type: 'ready' }
  | { type: 'push'; entry: ViewEntry }
  | { type: 'replace'; entry: ViewEntry }
  | { type: 'reset'; entry: ViewEntry }
  | { type: 'back' }
  | { type: 'close' }
  | { type: 'dismiss' }
  | { type: 'shaken' }
  | { type: 'namespace'; switching: boolean }

const connect: ViewEntry = { view: 'Connect', params: {} }
const account: ViewEntry = { view: 'Account', params: {} }

/**
 * Returns the view on screen.
 *
 * @example
 * const state = modalOf(latchkey).state.getState()
 * if (state.open) show(currentEntry(state).view)
 */
export function currentEntry(state: ModalState & { open: true }): ViewEntry {
  return state.history[state.history.length - 1] ?? state.history[0]
}

/** Returns the first view if none is given. */
export function chooseHome(situation: { connected: boolean; adapters: number; mobile: boolean }): ViewEntry {
  const { connected, adapters, mobile } = situation
  if (adapters === 0 && !connected) {
    return { view: mobile ? 'AllWallets' : 'ConnectingWalletConnectBasic', params: {} }
  }
  return connected ? account : connect
}

/** True if the user must decide before leaving the view on screen. */
function cannotClose(state: ModalState, { signInPending, networkPending = false }: ModalSurroundings): boolean {
  if (!state.open) return false
  const { view } = currentEntry(state)
  return (signInPending && isApproval(view)) || (networkPending && view === 'UnsupportedChain')
}

/** True if going back closes the modal: there is only one view, or the network must be changed first. */
export function canBackClose(state: ModalState): boolean {
  return state.open && (state.history.length === 1 || isInHistory(state, 'UnsupportedChain'))
}

/** True if a view is anywhere in the history. */
export function isInHistory(state: ModalState, view: ViewName): boolean {
  return state.open && state.history.some((entry) => entry.view === view)
}

/** Returns the state after an event. It is pure: timers, wallets and storage are handled elsewhere. */
export function navigate(state: ModalState, event: ModalEvent, around: ModalSurroundings): ModalState {
  if (event.type === 'open') return createOpenState(event.entry === undefined ? around.home : copyEntry(event.entry))
  if (!state.open) return state
  switch (event.type) {
    case 'ready':
      return { ...state, loading: false }
    case 'push':
      if (event.entry.view === currentEntry(state).view) return state
      return { ...state, history: [...state.history, copyEntry(event.entry)], direction: 'next' }
    case 'replace':
      return { ...state, history: swapLast(state.history, copyEntry(event.entry)), direction: 'next' }
    case 'reset':
      return { ...state, history: [copyEntry(event.entry)], direction: 'prev' }
    case 'back':
      if (canBackClose(state)) return navigate(state, { type: 'close' }, { ...around, networkPending: false })
      return { ...state, history: dropLast(state.history), direction: 'prev' }
    case 'close':
      return cannotClose(state, around) ? { ...state, shaking: true } : closeState(state, around)
    case 'dismiss':
      return closeState(state, around)
    case 'shaken':
      return { ...state, shaking: false }
    case 'namespace':
      return { ...state, switchingNamespace: event.switching }
  }
}

/** Copies an entry: each visit of a view is a new pane, even if an app passes the same object each time. */
function copyEntry(entry: ViewEntry): ViewEntry {
  return { ...entry }
}

function createOpenState(entry: ViewEntry): ModalState {
  return {
    open: true,
    history: [entry],
    direction: 'next',
    loading: true,
    shaking: false,
    switchingNamespace: false,
  }
}

function closeState(state: ModalState & { open: true }, { embedded, connected }: ModalSurroundings): ModalState {
  if (!embedded) return { open: false }
  return {
    ...state,
    history: [connected ? account : connect],
    direction: 'prev',
    shaking: false,
    switchingNamespace: false,
  }
}

type History = readonly [ViewEntry, ...ViewEntry[]]

function dropLast([first, ...rest]: History): History {
  return [first, ...rest.slice(0, -1)]
}

function swapLast(history: History, entry: ViewEntry): History {
  if (history.length === 1) return [entry]
  return [history[0], ...history.slice(1, -1), entry]
}
