import { isLatchkeyError, type Namespace, type Network } from '@latchkey/protocol'
import type { Connector, EndReason } from '../contracts/connector.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import { rememberedIn, type RememberedConnection, type RememberedConnections } from '../storage/memory.ts'
import { orderWallets, addSecondaryWallet } from '../state/secondaryWallets.ts'
import { dispatch } from '../state/dispatch.ts'
import { isResuming, listConnectedWallets } from '../state/connectedWallets.ts'
import { connectionStateOf } from '../state/getAccount.ts'
import { removeConnection } from './removeConnection.ts'
import { addConnection, followConnection, createGrant, isSameAddress, emitAccount } from './followConnection.ts'
import { checkNetwork } from '../network/checkNetwork.ts'
import { saveConnections } from './saveConnections.ts'

/** The time a wallet has to restore a connection. */
const restoreMilliseconds = 10_000

/**
 * Restores the stored connections of a wallet in all its namespaces at once. Gives up if the wallet does not respond.
 */
export function restoreWith(latchkey: Latchkey, id: string): void {
  const connector = latchkey.connectors.getState().find((present) => present.id === id)
  const namespaces = latchkey.adapters.map(({ namespace }) => namespace).filter((each) => isAwaited(latchkey, each, id))
  for (const { namespace } of latchkey.adapters) {
    // Another instance in the page may have removed it in the meantime.
    if (!namespaces.includes(namespace)) failResumedAttempt(latchkey, namespace, id, 'other-tab')
  }
  if (connector === undefined || namespaces.length === 0 || latchkey.internal.tasks.restoring.has(id)) return
  for (const namespace of namespaces) {
    const [first] = latchkey.internal.memory.remembered(namespace)
    if (first?.connectorId === id) dispatch(latchkey, namespace, { type: 'resume', ...first })
  }
  latchkey.internal.tasks.restoring.add(id)
  const attempt = new AbortController()
  const late = new Promise<EndReason>((resolve) => {
    attempt.signal.addEventListener('abort', () => resolve('slow'), { once: true })
  })
  const cancel = latchkey.internal.clock.after(restoreMilliseconds, () => attempt.abort())
  const restoring = restore(latchkey, connector, namespaces, attempt.signal).catch(toEndReason)
  void Promise.race([restoring, late]).then((reason) => {
    cancel()
    latchkey.internal.tasks.restoring.delete(id)
    // The stored connection stays, so that the next page load can try again.
    for (const namespace of namespaces) failResumedAttempt(latchkey, namespace, id, reason ?? 'wallet')
  })
}

/**
 * Asks a wallet to restore its connections, and applies them.
 *
 * @throws any error if the wallet does not respond
 */
async function restore(
  latchkey: Latchkey,
  connector: Connector,
  namespaces: readonly Namespace[],
  signal: AbortSignal,
): Promise<undefined> {
  const networks = rememberedFirst(latchkey, connector.id, namespaces)
  const granted = await connector.restore({ networks, signal })
  if (signal.aborted) return
  for (const namespace of namespaces) {
    const order = latchkey.internal.memory.remembered(namespace)
    const remembered = order.find(({ connectorId }) => connectorId === connector.id)
    const isFirst = isResuming(latchkey, namespace, connector.id)
    const isConnected = listConnectedWallets(latchkey, namespace).some(
      ({ connectorId }) => connectorId === connector.id,
    )
    if (!isFirst && (isConnected || remembered === undefined || !latchkey.internal.settings.multiWallet)) continue
    const connection = granted.find((candidate) => candidate.namespace === namespace)
    if (connection === undefined) {
      removeConnection(latchkey, namespace, { by: 'wallet', connectorId: connector.id })
      continue
    }
    const picked = remembered?.picked === true ? remembered.account : undefined
    if (isFirst) addConnection(latchkey, connector.id, connection, picked)
    else {
      addSecondaryWallet(latchkey, namespace, createGrant(latchkey, connector.id, connection, picked))
      followConnection(latchkey, connection)
      arrange(latchkey, namespace, order)
      saveConnections(latchkey, namespace)
    }
    const account = listConnectedWallets(latchkey, namespace).find(
      ({ connectorId }) => connectorId === connector.id,
    )?.account
    if (account === undefined) continue
    latchkey.events.emit({ type: 'connect', connectorId: connector.id, account, restored: true })
  }
  checkNetwork(latchkey)
}

/** Puts the wallet's previous network first, for wallets that follow the network of the app. */
function rememberedFirst(
  latchkey: Pick<Latchkey, 'networks' | 'internal'>,
  id: string,
  namespaces: readonly Namespace[],
): Latchkey['networks'] {
  const all = namespaces.flatMap((namespace) => latchkey.internal.memory.remembered(namespace))
  const chains = all.filter(({ connectorId }) => connectorId === id).map(({ chainId }) => chainId)
  const rank = ({ caipNetworkId }: Network): number => Number(!chains.includes(caipNetworkId))
  const offered = latchkey.networks.filter((network) => namespaces.includes(network.chainNamespace))
  return offered.toSorted((one, other) => rank(one) - rank(other))
}

/** True if a namespace has a stored wallet that is not connected, and a place for it. */
function isAwaited(latchkey: Pick<Latchkey, 'wallet' | 'internal'>, namespace: Namespace, id: string): boolean {
  const [first, ...others] = latchkey.internal.memory.remembered(namespace).map(({ connectorId }) => connectorId)
  const isFree = connectionStateOf(latchkey, namespace).status === 'disconnected' || isResuming(latchkey, namespace, id)
  if (first === id && isFree) return true
  if (!latchkey.internal.settings.multiWallet || ![first, ...others].includes(id)) return false
  return listConnectedWallets(latchkey, namespace).every(({ connectorId }) => connectorId !== id)
}

/**
 * Disconnects namespaces whose stored wallet is not in the page. A wallet that announces itself later is still
 * restored.
 */
export function disconnectMissing(latchkey: Pick<Latchkey, 'adapters' | 'connectors' | 'wallet' | 'internal'>): void {
  const present = latchkey.connectors.getState().map(({ id }) => id)
  for (const { namespace } of latchkey.adapters) {
    const state = connectionStateOf(latchkey, namespace)
    if (state.status === 'reconnecting' && !present.includes(state.connectorId)) {
      failResumedAttempt(latchkey, namespace, state.connectorId, 'uninstalled')
    }
  }
}

function failResumedAttempt(
  latchkey: Pick<Latchkey, 'wallet' | 'internal'>,
  namespace: Namespace,
  connectorId: string,
  reason: EndReason,
): void {
  if (!isResuming(latchkey, namespace, connectorId)) return
  dispatch(latchkey, namespace, { type: 'failed', reason })
  // The wallet that replaced it stays, even if the remembered wallet appears later.
  if (listConnectedWallets(latchkey, namespace).length > 0) saveConnections(latchkey, namespace)
}

/** Returns the reason that a wallet could not be restored, from its error. */
function toEndReason(error: unknown): EndReason {
  if (isLatchkeyError(error, 'wallet/locked')) return 'locked'
  const isOver = isLatchkeyError(error, 'session/ended') || isLatchkeyError(error, 'session/not-found')
  return isOver ? 'expired' : 'wallet'
}

/** Applies changes of another tab: removes the connections that it ended, and makes the same wallet primary. */
export function followMemory(latchkey: Latchkey, connections: RememberedConnections): void {
  for (const { namespace } of latchkey.adapters) {
    const there = rememberedIn(connections, namespace).map(({ connectorId }) => connectorId)
    const state = connectionStateOf(latchkey, namespace)
    const coming = state.status === 'reconnecting' ? [state] : []
    const selected = latchkey.internal.settings.multiWallet ? there : there.slice(0, 1)
    for (const { connectorId } of [...coming, ...listConnectedWallets(latchkey, namespace)]) {
      if (!selected.includes(connectorId)) removeConnection(latchkey, namespace, { by: 'other-tab', connectorId })
    }
    arrange(latchkey, namespace, rememberedIn(connections, namespace))
  }
  for (const { id } of latchkey.connectors.getState()) restoreWith(latchkey, id)
}

/** Sorts the connected wallets in the stored order, and applies the stored account choices. */
function arrange(
  latchkey: Pick<Latchkey, 'wallet' | 'events' | 'internal'>,
  namespace: Namespace,
  remembered: readonly RememberedConnection[],
): void {
  const [before] = listConnectedWallets(latchkey, namespace)
  orderWallets(
    latchkey,
    namespace,
    remembered.map(({ connectorId }) => connectorId),
  )
  for (const { connectorId, account, picked = false } of remembered) {
    const wallet = listConnectedWallets(latchkey, namespace).find((each) => each.connectorId === connectorId)
    const shared = wallet?.accounts.find((each) => isSameAddress(each, account))
    if (!picked || wallet === undefined || shared === undefined || shared === wallet.account) continue
    dispatch(latchkey, namespace, { type: 'account', connection: wallet.connection, account: shared })
  }
  const [after] = listConnectedWallets(latchkey, namespace)
  if (before !== undefined && after?.account !== before.account) emitAccount(latchkey, namespace)
}
