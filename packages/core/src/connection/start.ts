import type { Namespace } from '@latchkey/protocol'
import type { LazyActions } from './lazyActions.ts'
import type { Connector } from '../contracts/connector.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import type { ConnectionState } from '../state/connectionState.ts'
import { findNetwork } from '../state/getAccount.ts'

/** The time a stored extension has to announce itself before it counts as absent. */
const announceMilliseconds = 2_000

/**
 * Starts an instance: discovers the wallets of the page and restores stored connections. Call it once in the page.
 * Repeated calls share one run.
 *
 * @returns a function that stops it; connections stay
 * @example const stop = start(latchkey)
 */
export function start(latchkey: Latchkey): () => void {
  const { tasks } = latchkey.internal
  tasks.starts += 1
  if (tasks.starts === 1) startDiscovery(latchkey)
  let ended = false
  return () => {
    if (ended) return
    ended = true
    tasks.starts -= 1
    if (tasks.starts === 0) for (const stop of tasks.stops.splice(0)) stop()
  }
}

function startDiscovery(latchkey: Latchkey): void {
  const { adapters, connectors, internal, wallet } = latchkey
  const { clock, memory, settings, tasks } = internal
  showRemembered(latchkey)
  for (const adapter of adapters) {
    const stop = adapter.discover?.(
      (connector) => registerConnector(latchkey, connector),
      (id) => unregister(latchkey, id),
    )
    if (stop !== undefined) tasks.stops.push(stop)
  }
  for (const { id } of connectors.getState()) restoreRemembered(latchkey, id)
  for (const connector of connectors.getState()) {
    resumeAttempt(latchkey, connector)
    if (connector.login === undefined) continue
    watchLater(latchkey, ({ watchLogin }, signal) => watchLogin(latchkey, connector, signal))
  }
  if (settings.signIn !== undefined) {
    watchLater(latchkey, ({ watchSignIn }, signal) => void watchSignIn(latchkey, signal))
  }
  tasks.stops.push(
    wallet.subscribe(() => {
      const isLocked = Object.values(wallet.getState().namespaces).some(
        (state) => state.status === 'disconnected' && state.reason === 'locked',
      )
      if (isLocked) withRestore(latchkey, ({ watchUnlock }) => watchUnlock(latchkey))
    }),
    memory.onConnections((there) => withRestore(latchkey, ({ followMemory }) => followMemory(latchkey, there))),
    clock.after(announceMilliseconds, () => {
      const isAwaited = Object.values(wallet.getState().namespaces).some(({ status }) => status === 'reconnecting')
      if (isAwaited) withRestore(latchkey, ({ disconnectMissing }) => disconnectMissing(latchkey))
    }),
  )
}

/** Completes a connection that the user approved in a wallet app while the page was reloaded. */
function resumeAttempt(latchkey: Latchkey, connector: Connector): void {
  const networks = latchkey.networks.filter(({ chainNamespace }) => connector.namespaces.includes(chainNamespace))
  const granted = connector.resume?.({ networks })
  if (granted === undefined) return
  void loadLazyActions().then(({ resumeAttempt }) => resumeAttempt(latchkey, connector, granted))
}

/** Loads code that watches the instance until it stops. Apps that don't use the feature don't load the code. */
function watchLater(
  { internal }: Pick<Latchkey, 'internal'>,
  watch: (loaded: LazyActions, signal: AbortSignal) => void,
): void {
  const controller = new AbortController()
  internal.tasks.stops.push(() => controller.abort())
  void loadLazyActions().then((loaded) => watch(loaded, controller.signal))
}

/**
 * Puts the stored connections into the state as `reconnecting`, without contacting a wallet. `start` does this too.
 * Call it before rendering on a server, and before the first render of the same page in the browser: both then render
 * the stored account.
 *
 * @example
 * const latchkey = createLatchkey({ adapters, storage: cookieStorage({ cookie: headers.get('cookie') ?? '' }) })
 * hydrate(latchkey)
 */
export function hydrate(latchkey: Latchkey): void {
  showRemembered(latchkey)
  const state = latchkey.wallet.getState()
  // React renders this value on a server and while it hydrates, even if a wallet has connected in the meantime.
  Object.assign(latchkey.wallet, { getInitialState: () => state })
}

/** Puts the stored connections into the state as `reconnecting`. */
function showRemembered(latchkey: Pick<Latchkey, 'adapters' | 'networks' | 'wallet' | 'internal'>): void {
  const { memory } = latchkey.internal
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
  { adapters, wallet }: Pick<Latchkey, 'adapters' | 'wallet'>,
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
 * Adds a discovered wallet. A repeated announcement replaces the earlier one. A wallet can't replace a connector of
 * another kind, because an extension can announce any id.
 */
function registerConnector(latchkey: Latchkey, connector: Connector): void {
  const present = latchkey.connectors.getState()
  const index = present.findIndex(({ id }) => id === connector.id)
  if (index !== -1 && present[index]?.type !== connector.type) return
  const all = index === -1 ? [...present, connector] : present.with(index, connector)
  latchkey.connectors.setState(all, true)
  restoreRemembered(latchkey, connector.id)
}

/** Removes a wallet that disappeared from the page. A connected wallet stays until it disconnects by itself. */
function unregister(latchkey: Pick<Latchkey, 'connectors' | 'wallet'>, id: string): void {
  const { namespaces, others } = latchkey.wallet.getState()
  const held = [...Object.values(namespaces), ...Object.values(others).flat()]
  if (held.some((state) => 'connectorId' in state && state.connectorId === id)) return
  latchkey.connectors.setState((all) => all.filter((connector) => connector.id !== id), true)
}

/** Restores the stored connections of a wallet that is in the page. */
function restoreRemembered(latchkey: Latchkey, id: string): void {
  const isRemembered = latchkey.adapters.some(({ namespace }) =>
    latchkey.internal.memory.remembered(namespace).some(({ connectorId }) => connectorId === id),
  )
  if (isRemembered) withRestore(latchkey, ({ restoreWith }) => restoreWith(latchkey, id))
}

/** Loads the restore code only if connections are stored. Continues without it if it can't be loaded. */
function withRestore(latchkey: Pick<Latchkey, 'adapters' | 'wallet'>, act: (loaded: LazyActions) => void): void {
  void loadLazyActions().then(act, () =>
    setStates(latchkey, (state) =>
      state.status === 'reconnecting' ? { status: 'disconnected', reason: 'slow' } : state,
    ),
  )
}

async function loadLazyActions(): Promise<LazyActions> {
  return (await import('./lazyActions.ts')).lazyActions
}
