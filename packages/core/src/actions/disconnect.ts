import { createErrors, type Namespace } from '@latchkey/protocol'
import type { Connector } from '../connector.ts'
import type { Latchkey } from '../latchkey.ts'
import { dispatch } from '../state/dispatch.ts'
import { walletsOf } from '../state/standing.ts'
import { stateOf } from '../state/wallet.ts'
import { drop } from './drop.ts'

const coreError = createErrors({
  'disconnect/failed': ({ reasons }) => `Disconnecting left something behind: ${reasons.join('; ')}`,
})

/** What to disconnect: a namespace, or one of the wallets that stand in it. */
export type DisconnectTarget = Namespace | { namespace: Namespace; connectorId?: string }

/** A wallet that a namespace has, or is on the way back to. */
type Held = { namespace: Namespace; connectorId: string }

/**
 * Disconnects one wallet, one namespace, or all of them. A wallet that serves several namespaces by one session leaves
 * all of these. This side forgets first, so that it is disconnected whatever the wallet answers. What is being connected
 * or reconnected there is given up.
 *
 * @throws LatchkeyError `disconnect/failed` with what each wallet said, when one could not be told.
 * @example await disconnect(latchkey)
 * @example await disconnect(latchkey, { namespace: 'eip155', connectorId: 'io.example.wallet' })
 */
export async function disconnect(latchkey: Latchkey, target?: DisconnectTarget): Promise<void> {
  const { namespace, connectorId }: Partial<Held> = typeof target === 'string' ? { namespace: target } : (target ?? {})
  const isMeant = (held: Held): boolean =>
    (namespace ?? held.namespace) === held.namespace && (connectorId ?? held.connectorId) === held.connectorId
  const all = heldWallets(latchkey)
  const named = all.filter(isMeant)
  const sessions = connectorsOf(latchkey, named)
  const whole = sessions.filter(({ type }) => type !== 'injected').map(({ id }) => id)
  giveUpAttempts(latchkey, isMeant)
  const accounts = named.flatMap((held) => walletsOf(latchkey, held.namespace).flatMap((wallet) => wallet.accounts))
  for (const { namespace: each } of latchkey.adapters) {
    const here = all.filter((held) => held.namespace === each)
    const left = here.filter((held) => named.includes(held) || whole.includes(held.connectorId))
    if (left.length === here.length && here.length > 0) drop(latchkey, each, { by: 'visitor' })
    else for (const held of left) drop(latchkey, each, { by: 'visitor', connectorId: held.connectorId })
    // What did not come back is not to come back later either.
    if (connectorId === undefined && each === (namespace ?? each)) latchkey.memory.setConnections(each, [])
  }
  latchkey.memory.setDeepLink(undefined)
  if (accounts.length > 0) void import('./rare.ts').then(({ forgetCaches }) => forgetCaches(latchkey, accounts))
  const kept = heldWallets(latchkey).map((held) => held.connectorId)
  await tell(sessions.filter(({ id }) => !kept.includes(id)))
}

function heldWallets(latchkey: Latchkey): readonly Held[] {
  return latchkey.adapters.flatMap(({ namespace }) => {
    const state = stateOf(latchkey, namespace)
    const coming = state.status === 'reconnecting' ? [state] : []
    return [...coming, ...walletsOf(latchkey, namespace)].map(({ connectorId }) => ({ namespace, connectorId }))
  })
}

function connectorsOf(latchkey: Latchkey, held: readonly Held[]): readonly Connector[] {
  return latchkey.connectors.getState().filter(({ id }) => held.some(({ connectorId }) => connectorId === id))
}

function giveUpAttempts(latchkey: Latchkey, isMeant: (held: Held) => boolean): void {
  for (const [namespace, attempt] of latchkey.running.attempts) {
    const state = stateOf(latchkey, namespace)
    if (state.status !== 'connecting' || !isMeant({ namespace, connectorId: state.connectorId })) continue
    attempt.abort()
    dispatch(latchkey, namespace, { type: 'failed' })
  }
}

/** Tells wallets that they are left; all are told before any failure is. */
async function tell(connectors: readonly Connector[]): Promise<void> {
  const results = await Promise.allSettled(connectors.map(async (connector) => connector.disconnect()))
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [reasonOf(result.reason)] : []))
  if (reasons.length > 0) throw coreError('disconnect/failed', { reasons })
}

function reasonOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason)
}
