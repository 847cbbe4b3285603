import type { Namespace } from '@latchkey/protocol'
import type { Latchkey } from '../instance/latchkey.ts'
import { connectedWallet, type Connected, type GrantedConnection } from './connectionState.ts'
import { setWallets } from './dispatch.ts'
import { createConnectedState, withConnectedWallet } from './reduceConnection.ts'

/** Adds a restored secondary wallet. Without a primary wallet, it becomes the primary one. */
export function addSecondaryWallet(
  latchkey: Pick<Latchkey, 'wallet'>,
  namespace: Namespace,
  granted: GrantedConnection,
): void {
  setWallets(latchkey, namespace, ({ state, others }) => {
    const wallet = createConnectedState(granted)
    if (state.status === 'disconnected') return { state: wallet, others }
    return { state, others: [...others.filter(({ connectorId }) => connectorId !== granted.connectorId), wallet] }
  })
}

/** Moves wallets to the front. The first connected wallet becomes the primary one. */
export function orderWallets(
  latchkey: Pick<Latchkey, 'wallet'>,
  namespace: Namespace,
  connectorIds: readonly string[],
): void {
  const rank = ({ connectorId }: Connected): number =>
    connectorIds.includes(connectorId) ? connectorIds.indexOf(connectorId) : connectorIds.length
  setWallets(latchkey, namespace, (before) => {
    const primary = connectedWallet(before.state)
    const all = primary === undefined ? before.others : [primary, ...before.others]
    const [first, ...rest] = all.toSorted((one, other) => rank(one) - rank(other))
    if (first === undefined) return before
    return primary === undefined
      ? { ...before, others: [first, ...rest] }
      : { state: withConnectedWallet(before.state, first), others: rest }
  })
}
