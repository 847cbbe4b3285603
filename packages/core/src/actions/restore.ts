import { isLatchkeyError, type Namespace } from '@latchkey/protocol'
import type { Connector, EndReason } from '../connector.ts'
import type { Latchkey } from '../latchkey.ts'
import { rememberedIn, type RememberedConnections } from '../storage/memory.ts'
import { dispatch, getAccount, isResuming, stateOf, walletsOf } from '../state/wallet.ts'
import { drop } from './drop.ts'
import { adopt, isSameAddress, tellAccount } from './follow.ts'
import { guardNetwork } from './guardNetwork.ts'
import { welcomeBack } from './navigation.ts'

/**
 * Asks a wallet whether it still knows us, and takes up what it grants. Loaded when there is something to take up.
 *
 * @throws anything when the wallet does not say
 */
export async function restore(
  latchkey: Latchkey,
  connector: Connector,
  namespaces: readonly Namespace[],
  signal: AbortSignal,
): Promise<void> {
  const networks = latchkey.networks.filter((network) => namespaces.includes(network.chainNamespace))
  const granted = await connector.restore({ networks, signal })
  if (signal.aborted) return
  for (const namespace of namespaces) {
    const remembered = latchkey.memory.remembered(namespace).find(({ connectorId }) => connectorId === connector.id)
    const isFirst = isResuming(latchkey, namespace, connector.id)
    if (!isFirst && (remembered === undefined || !latchkey.settings.multiWallet)) continue
    const connection = granted.find((candidate) => candidate.namespace === namespace)
    if (connection === undefined) {
      drop(latchkey, namespace, { by: 'wallet', connectorId: connector.id })
      continue
    }
    const picked = remembered?.picked === true ? remembered.account : undefined
    adopt(latchkey, connector.id, connection, { beside: !isFirst, picked })
    const account = walletsOf(latchkey, namespace).find(({ connectorId }) => connectorId === connector.id)?.account
    if (account === undefined) continue
    latchkey.events.emit({ type: 'connect', connectorId: connector.id, account, restored: true })
  }
  if (getAccount(latchkey).status === 'connected') welcomeBack(latchkey)
  guardNetwork(latchkey)
}

/** Why a wallet could not be taken up, from what it failed with. */
export function reasonOf(error: unknown): EndReason {
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
    const [first] = rememberedIn(connections, namespace)
    const wallet = walletsOf(latchkey, namespace).find(({ connectorId }) => connectorId === first?.connectorId)
    if (first === undefined || wallet === undefined) continue
    const [before] = walletsOf(latchkey, namespace)
    dispatch(latchkey, namespace, { type: 'primary', connectorId: first.connectorId })
    const shared = wallet.accounts.find((account) => isSameAddress(account, first.account))
    if (first.picked === true && shared !== undefined) {
      dispatch(latchkey, namespace, { type: 'account', connection: wallet.connection, account: shared })
    }
    const [after] = walletsOf(latchkey, namespace)
    if (after?.account !== before?.account) tellAccount(latchkey, namespace)
  }
}
