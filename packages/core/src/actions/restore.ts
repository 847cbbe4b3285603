import { isLatchkeyError, type Namespace, type Network } from '@latchkey/protocol'
import type { Connector, EndReason } from '../connector.ts'
import type { Latchkey } from '../latchkey.ts'
import { rememberedIn, type RememberedConnection, type RememberedConnections } from '../storage/memory.ts'
import { putFirst, standBeside } from '../state/beside.ts'
import { dispatch } from '../state/dispatch.ts'
import { isResuming, walletsOf } from '../state/standing.ts'
import { getAccount, stateOf } from '../state/wallet.ts'
import { drop } from './drop.ts'
import { adopt, followAll, grantOf, isSameAddress, tellAccount } from './follow.ts'
import { guardNetwork } from './guardNetwork.ts'
import { welcomeBack } from './navigation.ts'
import { remember } from './remember.ts'

/** How long a wallet may take to say whether it still knows us. */
const restoreMilliseconds = 10_000

/** Takes up what is remembered of a wallet, in all its namespaces at once, and gives up when it does not answer. */
export function restoreWith(latchkey: Latchkey, id: string): void {
  const connector = latchkey.connectors.getState().find((present) => present.id === id)
  const namespaces = latchkey.adapters.map(({ namespace }) => namespace).filter((each) => isAwaited(latchkey, each, id))
  for (const { namespace } of latchkey.adapters) {
    // Another instance in the page may have forgotten it since.
    if (!namespaces.includes(namespace)) failResumed(latchkey, namespace, id, 'other-tab')
  }
  if (connector === undefined || namespaces.length === 0 || latchkey.running.restoring.has(id)) return
  for (const namespace of namespaces) {
    const [first] = latchkey.memory.remembered(namespace)
    if (first?.connectorId === id) dispatch(latchkey, namespace, { type: 'resume', ...first })
  }
  latchkey.running.restoring.add(id)
  const attempt = new AbortController()
  const late = new Promise<EndReason>((resolve) => {
    attempt.signal.addEventListener('abort', () => resolve('slow'), { once: true })
  })
  const cancel = latchkey.clock.after(restoreMilliseconds, () => attempt.abort())
  const restoring = restore(latchkey, connector, namespaces, attempt.signal).catch(reasonOf)
  void Promise.race([restoring, late]).then((reason) => {
    cancel()
    latchkey.running.restoring.delete(id)
    // What is remembered stays, so that the next load can try again.
    for (const namespace of namespaces) failResumed(latchkey, namespace, id, reason ?? 'wallet')
  })
}

/**
 * Asks a wallet whether it still knows us, and takes up what it grants.
 *
 * @throws anything when the wallet does not say
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
    const order = latchkey.memory.remembered(namespace)
    const remembered = order.find(({ connectorId }) => connectorId === connector.id)
    const isFirst = isResuming(latchkey, namespace, connector.id)
    const stands = walletsOf(latchkey, namespace).some(({ connectorId }) => connectorId === connector.id)
    if (!isFirst && (stands || remembered === undefined || !latchkey.settings.multiWallet)) continue
    const connection = granted.find((candidate) => candidate.namespace === namespace)
    if (connection === undefined) {
      drop(latchkey, namespace, { by: 'wallet', connectorId: connector.id })
      continue
    }
    const picked = remembered?.picked === true ? remembered.account : undefined
    if (isFirst) adopt(latchkey, connector.id, connection, picked)
    else {
      standBeside(latchkey, namespace, grantOf(latchkey, connector.id, connection, picked))
      followAll(latchkey, connection)
      arrange(latchkey, namespace, order)
      remember(latchkey, namespace)
    }
    const account = walletsOf(latchkey, namespace).find(({ connectorId }) => connectorId === connector.id)?.account
    if (account === undefined) continue
    latchkey.events.emit({ type: 'connect', connectorId: connector.id, account, restored: true })
  }
  if (getAccount(latchkey).status === 'connected') welcomeBack(latchkey)
  void guardNetwork(latchkey)
}

/** Offers the network that a wallet was on first, for wallets that are wherever the app is. */
function rememberedFirst(latchkey: Latchkey, id: string, namespaces: readonly Namespace[]): Latchkey['networks'] {
  const all = namespaces.flatMap((namespace) => latchkey.memory.remembered(namespace))
  const chains = all.filter(({ connectorId }) => connectorId === id).map(({ chainId }) => chainId)
  const rank = ({ caipNetworkId }: Network): number => Number(!chains.includes(caipNetworkId))
  const offered = latchkey.networks.filter((network) => namespaces.includes(network.chainNamespace))
  return offered.toSorted((one, other) => rank(one) - rank(other))
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
export function giveUpAbsent(latchkey: Latchkey): void {
  const present = latchkey.connectors.getState().map(({ id }) => id)
  for (const { namespace } of latchkey.adapters) {
    const state = stateOf(latchkey, namespace)
    if (state.status === 'reconnecting' && !present.includes(state.connectorId)) {
      failResumed(latchkey, namespace, state.connectorId, 'uninstalled')
    }
  }
}

function failResumed(latchkey: Latchkey, namespace: Namespace, connectorId: string, reason: EndReason): void {
  if (!isResuming(latchkey, namespace, connectorId)) return
  dispatch(latchkey, namespace, { type: 'failed', reason })
  // Who stands in for it stays, also when it comes later.
  if (walletsOf(latchkey, namespace).length > 0) remember(latchkey, namespace)
}

/** Why a wallet could not be taken up, from what it failed with. */
function reasonOf(error: unknown): EndReason {
  if (isLatchkeyError(error, 'wallet/locked')) return 'locked'
  const isOver = isLatchkeyError(error, 'session/ended') || isLatchkeyError(error, 'session/not-found')
  return isOver ? 'expired' : 'wallet'
}

/** Does what another tab did: forgets the connections that it ended, and puts the wallet first that it put first. */
export function followMemory(latchkey: Latchkey, connections: RememberedConnections): void {
  for (const { namespace } of latchkey.adapters) {
    const there = rememberedIn(connections, namespace).map(({ connectorId }) => connectorId)
    const state = stateOf(latchkey, namespace)
    const coming = state.status === 'reconnecting' ? [state] : []
    const kept = latchkey.settings.multiWallet ? there : there.slice(0, 1)
    for (const { connectorId } of [...coming, ...walletsOf(latchkey, namespace)]) {
      if (!kept.includes(connectorId)) drop(latchkey, namespace, { by: 'other-tab', connectorId })
    }
    arrange(latchkey, namespace, rememberedIn(connections, namespace))
  }
  for (const { id } of latchkey.connectors.getState()) restoreWith(latchkey, id)
}

/** Puts the wallets that stand into the order that is remembered, the accounts chosen here among theirs. */
function arrange(latchkey: Latchkey, namespace: Namespace, remembered: readonly RememberedConnection[]): void {
  const [before] = walletsOf(latchkey, namespace)
  putFirst(
    latchkey,
    namespace,
    remembered.map(({ connectorId }) => connectorId),
  )
  for (const { connectorId, account, picked = false } of remembered) {
    const wallet = walletsOf(latchkey, namespace).find((each) => each.connectorId === connectorId)
    const shared = wallet?.accounts.find((each) => isSameAddress(each, account))
    if (!picked || wallet === undefined || shared === undefined || shared === wallet.account) continue
    dispatch(latchkey, namespace, { type: 'account', connection: wallet.connection, account: shared })
  }
  const [after] = walletsOf(latchkey, namespace)
  if (before !== undefined && after?.account !== before.account) tellAccount(latchkey, namespace)
}
