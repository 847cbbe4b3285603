import { createErrors, type Namespace } from '@latchkey/protocol'
import type { Connector } from '../contracts/connector.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import { dispatch } from '../state/dispatch.ts'
import { listConnectedWallets } from '../state/connectedWallets.ts'
import { connectionStateOf } from '../state/getAccount.ts'
import { forgetCaches } from './forgetCaches.ts'
import { notifyConnectors } from './notifyConnectors.ts'
import { removeConnection } from './removeConnection.ts'
import { setDeepLink } from '../storage/deepLink.ts'
import { setConnections } from '../storage/setConnections.ts'

declare module '@latchkey/protocol' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface ErrorContexts {
    'disconnect/failed': { reasons: readonly string[] }
  }
}

const coreError = createErrors({
  'disconnect/failed': ({ reasons }) => `Some wallets could not be notified of the disconnect: ${reasons.join('; ')}`,
})

/** The target of `disconnect`: a namespace, or one of its connected wallets. */
export type DisconnectTarget = Namespace | { namespace: Namespace; connectorId?: string }

/** A wallet that is connected or reconnecting in a namespace. */
type ActiveWallet = { namespace: Namespace; connectorId: string }

/**
 * Disconnects one wallet, one namespace, or all. A wallet whose single session serves several namespaces leaves all of
 * them. The state is cleared first, so the app is disconnected whatever the wallet responds. Pending connection attempts
 * and reconnections are aborted. An extension is notified when none of its namespaces is still connected.
 *
 * @throws LatchkeyError `disconnect/failed` with the error of each wallet that could not be notified
 * @example await disconnect(latchkey)
 * @example await disconnect(latchkey, { namespace: 'eip155', connectorId: 'io.example.wallet' })
 */
export async function disconnect(latchkey: Latchkey, target?: DisconnectTarget): Promise<void> {
  const { namespace, connectorId }: Partial<ActiveWallet> =
    typeof target === 'string' ? { namespace: target } : (target ?? {})
  const matchesTarget = (wallet: ActiveWallet): boolean =>
    (namespace ?? wallet.namespace) === wallet.namespace && (connectorId ?? wallet.connectorId) === wallet.connectorId
  const all = listActiveWallets(latchkey)
  const targeted = all.filter(matchesTarget)
  const targetConnectors = connectorsOf(latchkey, targeted)
  const sessionIds = targetConnectors.filter(({ type }) => type !== 'injected').map(({ id }) => id)
  abortAttempts(latchkey, matchesTarget)
  const accounts = targeted.flatMap((wallet) =>
    listConnectedWallets(latchkey, wallet.namespace).flatMap(({ accounts }) => accounts),
  )
  for (const { namespace: each } of latchkey.adapters) {
    const here = all.filter((wallet) => wallet.namespace === each)
    const left = here.filter((wallet) => targeted.includes(wallet) || sessionIds.includes(wallet.connectorId))
    if (left.length === here.length && here.length > 0) removeConnection(latchkey, each, { by: 'user' })
    else for (const wallet of left) removeConnection(latchkey, each, { by: 'user', connectorId: wallet.connectorId })
    // Connections that were not restored must not return later either.
    if (connectorId === undefined && each === (namespace ?? each)) setConnections(latchkey.internal.memory, each, [])
  }
  setDeepLink(latchkey.internal.memory, undefined)
  forgetCaches(latchkey, accounts)
  const remainingIds = listActiveWallets(latchkey).map((wallet) => wallet.connectorId)
  await disconnectConnectors(
    latchkey,
    targetConnectors.filter(({ id }) => !remainingIds.includes(id)),
    remainingIds,
  )
}

function listActiveWallets(latchkey: Pick<Latchkey, 'adapters' | 'wallet'>): readonly ActiveWallet[] {
  return latchkey.adapters.flatMap(({ namespace }) => {
    const state = connectionStateOf(latchkey, namespace)
    const reconnecting = state.status === 'reconnecting' ? [state] : []
    return [...reconnecting, ...listConnectedWallets(latchkey, namespace)].map(({ connectorId }) => ({
      namespace,
      connectorId,
    }))
  })
}

function connectorsOf(latchkey: Pick<Latchkey, 'connectors'>, wallets: readonly ActiveWallet[]): readonly Connector[] {
  return latchkey.connectors.getState().filter(({ id }) => wallets.some(({ connectorId }) => connectorId === id))
}

function abortAttempts(
  latchkey: Pick<Latchkey, 'wallet' | 'internal'>,
  matchesTarget: (wallet: ActiveWallet) => boolean,
): void {
  for (const [namespace, attempt] of latchkey.internal.tasks.attempts) {
    const state = connectionStateOf(latchkey, namespace)
    if (state.status !== 'connecting' || !matchesTarget({ namespace, connectorId: state.connectorId })) continue
    attempt.abort()
    dispatch(latchkey, namespace, { type: 'failed' })
  }
}

/** Notifies wallets of the disconnect. All are notified before an error is thrown. */
async function disconnectConnectors(
  latchkey: Pick<Latchkey, 'connectors' | 'internal'>,
  left: readonly Connector[],
  kept: readonly string[],
): Promise<void> {
  const results = await notifyConnectors(latchkey, left, kept)
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [describeReason(result.reason)] : []))
  if (reasons.length > 0) throw coreError('disconnect/failed', { reasons })
}

function describeReason(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason)
}
