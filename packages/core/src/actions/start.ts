import type { Namespace } from '@latchkey/protocol'
import type { Connector, EndReason } from '../connector.ts'
import type { Latchkey } from '../latchkey.ts'
import type { RememberedConnections } from '../storage/memory.ts'
import { dispatch, findNetwork, isResuming, stateOf, walletsOf } from '../state/wallet.ts'

/** How long a remembered extension may take to announce itself before it counts as absent. */
const announceMilliseconds = 2_000
/** How long a wallet may take to say whether it still knows us. */
const restoreMilliseconds = 10_000

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
  resumeRemembered(latchkey)
  for (const adapter of latchkey.adapters) {
    const stop = adapter.discover?.(
      (connector) => register(latchkey, connector),
      (id) => unregister(latchkey, id),
    )
    if (stop !== undefined) latchkey.running.stops.push(stop)
  }
  for (const connector of latchkey.connectors.getState()) restoreWith(latchkey, connector)
  latchkey.running.stops.push(
    latchkey.memory.onConnections((connections) => void followOtherTab(latchkey, connections)),
    latchkey.clock.after(announceMilliseconds, () => giveUpAbsent(latchkey)),
  )
}

/** Everything remembered is on its way back, until its wallet says otherwise or does not appear. */
function resumeRemembered(latchkey: Latchkey): void {
  for (const { namespace } of latchkey.adapters) {
    const [connection] = latchkey.memory.remembered(namespace)
    if (connection !== undefined) dispatch(latchkey, namespace, { type: 'resume', ...connection })
  }
  const chainId = latchkey.memory.activeNetwork()
  const network = chainId === undefined ? undefined : findNetwork(latchkey, chainId)
  if (network === undefined) return
  const state = latchkey.wallet.getState()
  const { chainNamespace, caipNetworkId } = network
  latchkey.wallet.setState(
    { ...state, active: chainNamespace, chosen: { ...state.chosen, [chainNamespace]: caipNetworkId } },
    true,
  )
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
  restoreWith(latchkey, connector)
}

/** A wallet that is gone from the page is offered no more; one that is in use is left when it says so itself. */
function unregister(latchkey: Latchkey, id: string): void {
  const { namespaces, others } = latchkey.wallet.getState()
  const held = [...Object.values(namespaces), ...Object.values(others).flat()]
  if (held.some((state) => 'connectorId' in state && state.connectorId === id)) return
  latchkey.connectors.setState((all) => all.filter((connector) => connector.id !== id), true)
}

/** Takes up what is remembered of a wallet, in all its namespaces at once. */
function restoreWith(latchkey: Latchkey, { id }: Connector): void {
  const connector = latchkey.connectors.getState().find((present) => present.id === id)
  const namespaces = latchkey.adapters.map(({ namespace }) => namespace).filter((each) => isAwaited(latchkey, each, id))
  if (connector === undefined || namespaces.length === 0 || latchkey.running.restoring.has(id)) return
  for (const namespace of namespaces) {
    const [first] = latchkey.memory.remembered(namespace)
    if (first?.connectorId === id) dispatch(latchkey, namespace, { type: 'resume', ...first })
  }
  latchkey.running.restoring.add(id)
  const attempt = new AbortController()
  const cancel = latchkey.clock.after(restoreMilliseconds, () => attempt.abort())
  const restoring = import('./restore.ts').then(({ restore, reasonOf }) =>
    // The wallet may be locked or fail. What is remembered stays, so that the next load can try again.
    restore(latchkey, connector, namespaces, attempt.signal).catch((error: unknown) => fail(reasonOf(error))),
  )
  const fail = (reason: EndReason): void => {
    for (const namespace of namespaces) failResumed(latchkey, namespace, id, reason)
  }
  void Promise.race([restoring, aborted(attempt.signal)])
    .catch(() => fail('slow'))
    .finally(() => {
      cancel()
      latchkey.running.restoring.delete(id)
    })
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The wallet did not answer in time.')), { once: true })
  })
}

/** Whether a namespace remembers a wallet that does not stand in it, and has room for it. */
function isAwaited(latchkey: Latchkey, namespace: Namespace, id: string): boolean {
  const [first, ...others] = latchkey.memory.remembered(namespace).map(({ connectorId }) => connectorId)
  const isFree = stateOf(latchkey, namespace).status === 'disconnected' || isResuming(latchkey, namespace, id)
  if (first === id && isFree) return true
  if (!latchkey.settings.multiWallet || ![first, ...others].includes(id)) return false
  return walletsOf(latchkey, namespace).every(({ connectorId }) => connectorId !== id)
}

/** A remembered wallet that is not in the page leaves its namespace disconnected; should it come later, it is taken up. */
function giveUpAbsent(latchkey: Latchkey): void {
  const present = latchkey.connectors.getState().map(({ id }) => id)
  for (const { namespace } of latchkey.adapters) {
    const state = stateOf(latchkey, namespace)
    if (state.status === 'reconnecting' && !present.includes(state.connectorId)) {
      failResumed(latchkey, namespace, state.connectorId, 'uninstalled')
    }
  }
}

function failResumed(latchkey: Latchkey, namespace: Namespace, connectorId: string, reason: EndReason): void {
  if (isResuming(latchkey, namespace, connectorId)) dispatch(latchkey, namespace, { type: 'failed', reason })
}

/** What the visitor did in another tab holds here too. */
async function followOtherTab(latchkey: Latchkey, connections: RememberedConnections): Promise<void> {
  const { followMemory } = await import('./restore.ts')
  followMemory(latchkey, connections)
  for (const connector of latchkey.connectors.getState()) restoreWith(latchkey, connector)
}
