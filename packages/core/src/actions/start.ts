import type { Namespace } from '@latchkey/protocol'
import type { Connector } from '../connector.ts'
import type { Latchkey } from '../latchkey.ts'
import type { ConnectionState } from '../state/connections.ts'
import { findNetwork } from '../state/wallet.ts'

/** How long a remembered extension may take to announce itself before it counts as absent. */
const announceMilliseconds = 2_000

/**
 * Begins: looks for wallets in the page and takes up remembered connections. Call it once in the page, from an effect
 * or beside the first render; calling it again while it runs does nothing more.
 *
 * @returns what ends it; connections stay
 * @example useEffect(() => start(latchkey), [latchkey])
 */
export function start(latchkey: Latchkey): () => void {
  const { running } = latchkey
  running.starts += 1
  if (running.starts === 1) begin(latchkey)
  let ended = false
  return () => {
    if (ended) return
    ended = true
    running.starts -= 1
    if (running.starts === 0) for (const stop of running.stops.splice(0)) stop()
  }
}

function begin(latchkey: Latchkey): void {
  const { adapters, clock, connectors, memory, running, settings, wallet } = latchkey
  recall(latchkey)
  for (const adapter of adapters) {
    const stop = adapter.discover?.(
      (connector) => register(latchkey, connector),
      (id) => unregister(latchkey, id),
    )
    if (stop !== undefined) running.stops.push(stop)
  }
  for (const { id } of connectors.getState()) takeUp(latchkey, id)
  for (const connector of connectors.getState()) {
    resumeAttempt(latchkey, connector)
    if (connector.login !== undefined) followLogin(latchkey, connector)
  }
  if (settings.signIn !== undefined) askToSignIn(latchkey)
  running.stops.push(
    memory.onConnections((there) => withRestore(latchkey, ({ followMemory }) => followMemory(latchkey, there))),
    clock.after(announceMilliseconds, () => {
      const isAwaited = Object.values(wallet.getState().namespaces).some(({ status }) => status === 'reconnecting')
      if (isAwaited) withRestore(latchkey, ({ giveUpAbsent }) => giveUpAbsent(latchkey))
    }),
  )
}

/** Connects the page that came back with what its visitor approves in a wallet that he had left it for. */
function resumeAttempt(latchkey: Latchkey, connector: Connector): void {
  const networks = latchkey.networks.filter(({ chainNamespace }) => connector.namespaces.includes(chainNamespace))
  const granted = connector.resume?.({ networks })
  if (granted === undefined) return
  void import('./rare.ts').then(({ finishAttempt }) => finishAttempt(latchkey, connector, granted))
}

/** Minds a wallet that shows screens of its own, with code that only apps with such a one load. */
function followLogin(latchkey: Latchkey, connector: Connector): void {
  const over = new AbortController()
  latchkey.running.stops.push(() => over.abort())
  void import('./rare.ts').then(({ watchLogin }) => watchLogin(latchkey, connector, over.signal))
}

/** Asks whoever connects to sign in, with code that only such apps load. */
function askToSignIn(latchkey: Latchkey): void {
  const over = new AbortController()
  latchkey.running.stops.push(() => over.abort())
  void import('../signIn/watchSignIn.ts').then(({ watchSignIn }) => watchSignIn(latchkey, over.signal))
}

/**
 * Shows what is remembered, and asks nobody: everything is on its way back, until its wallet says otherwise or does not
 * appear. `start` does it too; call it before rendering on a server, and before the first render of the same in the page.
 *
 * @example
 * const latchkey = createLatchkey({ adapters, storage: cookieStorage({ cookie: request.headers.cookie ?? '' }) })
 * recall(latchkey)
 */
export function recall(latchkey: Latchkey): void {
  const { memory } = latchkey
  setStates(latchkey, (state, namespace) => {
    const [remembered] = memory.remembered(namespace)
    if (remembered === undefined || state.status !== 'disconnected') return state
    const { connectorId, account, chainId } = remembered
    return { status: 'reconnecting', connectorId, account, chainId }
  })
  const chainId = memory.activeNetwork()
  const adapter = latchkey.adapters.find(({ namespace }) => chainId?.startsWith(`${namespace}:`))
  if (adapter === undefined || chainId === undefined) return
  const state = latchkey.wallet.getState()
  const chosen = findNetwork(latchkey, chainId) && { [adapter.namespace]: chainId }
  latchkey.wallet.setState({ ...state, active: adapter.namespace, chosen: { ...state.chosen, ...chosen } }, true)
}

function setStates(
  { adapters, wallet }: Latchkey,
  change: (state: ConnectionState, namespace: Namespace) => ConnectionState,
): void {
  for (const { namespace } of adapters) {
    const all = wallet.getState()
    const before = all.namespaces[namespace] ?? { status: 'disconnected' }
    const after = change(before, namespace)
    if (after !== before) wallet.setState({ ...all, namespaces: { ...all.namespaces, [namespace]: after } }, true)
  }
}

/**
 * Takes in a wallet that was found. One that announces itself again takes its own earlier place, and none takes the
 * place of another kind: an extension may call itself what it likes.
 */
function register(latchkey: Latchkey, connector: Connector): void {
  const present = latchkey.connectors.getState()
  const index = present.findIndex(({ id }) => id === connector.id)
  if (index !== -1 && present[index]?.type !== connector.type) return
  const all = index === -1 ? [...present, connector] : present.with(index, connector)
  latchkey.connectors.setState(all, true)
  takeUp(latchkey, connector.id)
}

/** A wallet that is gone from the page is offered no more; one that is in use is left when it says so itself. */
function unregister(latchkey: Latchkey, id: string): void {
  const { namespaces, others } = latchkey.wallet.getState()
  const held = [...Object.values(namespaces), ...Object.values(others).flat()]
  if (held.some((state) => 'connectorId' in state && state.connectorId === id)) return
  latchkey.connectors.setState((all) => all.filter((connector) => connector.id !== id), true)
}

/** Takes up what is remembered of a wallet that is here. */
function takeUp(latchkey: Latchkey, id: string): void {
  const isRemembered = latchkey.adapters.some(({ namespace }) =>
    latchkey.memory.remembered(namespace).some(({ connectorId }) => connectorId === id),
  )
  if (isRemembered) withRestore(latchkey, ({ restoreWith }) => restoreWith(latchkey, id))
}

/** Loads what is needed only where something is remembered. What cannot be loaded is not waited for. */
function withRestore(latchkey: Latchkey, act: (loaded: typeof import('./rare.ts')) => void): void {
  void import('./rare.ts').then(act, () =>
    setStates(latchkey, (state) =>
      state.status === 'reconnecting' ? { status: 'disconnected', reason: 'slow' } : state,
    ),
  )
}
