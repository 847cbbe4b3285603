import type { ChainId, Namespace } from '@latchkey/protocol'
import type { Connection } from '../connector.ts'
import type { Latchkey } from '../latchkey.ts'
import { standing } from '../state/connections.ts'
import { dispatch, stateOf } from '../state/wallet.ts'
import { guardNetwork } from './guardNetwork.ts'
import { drop } from './drop.ts'

/** Takes over a granted connection: its state, its memory, and what its wallet says from now on. */
export function adopt(latchkey: Latchkey, connectorId: string, connection: Connection): void {
  const { namespace } = connection
  latchkey.running.followed.get(namespace)?.()
  dispatch(latchkey, namespace, { type: 'granted', connectorId, connection })
  latchkey.running.followed.set(
    namespace,
    connection.listen({
      accountsChanged(accounts) {
        dispatch(latchkey, namespace, { type: 'accounts', connection, accounts })
        remember(latchkey, namespace)
        tellAccount(latchkey, namespace)
      },
      chainChanged: (chainId) => moveTo(latchkey, connection, chainId),
      disconnected: () => drop(latchkey, namespace, 'wallet'),
    }),
  )
  remember(latchkey, namespace)
}

/** The wallet is on another chain now. Hearing of it again, from the wallet or from who asked for it, changes nothing. */
export function moveTo(latchkey: Latchkey, connection: Connection, chainId: ChainId): void {
  const { namespace } = connection
  const state = standing(stateOf(latchkey, namespace))
  if (state?.connection !== connection || state.chainId === chainId) return
  dispatch(latchkey, namespace, { type: 'chain', connection, chainId })
  remember(latchkey, namespace)
  latchkey.events.emit({ type: 'network', chainId })
  tellAccount(latchkey, namespace)
  guardNetwork(latchkey)
}

function tellAccount(latchkey: Latchkey, namespace: Namespace): void {
  const state = standing(stateOf(latchkey, namespace))
  if (state !== undefined) latchkey.events.emit({ type: 'account', account: state.account })
}

/** Writes down what to take up again after a reload. */
export function remember(latchkey: Latchkey, namespace: Namespace): void {
  const state = standing(stateOf(latchkey, namespace))
  if (state === undefined) return
  const { connectorId, account, chainId } = state
  latchkey.memory.setConnection(namespace, { connectorId, account, chainId })
  if (latchkey.wallet.getState().active === namespace) latchkey.memory.setActiveNetwork(chainId)
}
