import type { Namespace } from '@latchkey/protocol'
import type { Latchkey } from '../latchkey.ts'
import { standing, type Connected, type Granted } from './connections.ts'
import { setWallets } from './dispatch.ts'
import { connected, withStanding } from './reduceConnection.ts'

/** A wallet came back that stands beside the primary one; where none stands, it is that. */
export function standBeside(latchkey: Latchkey, namespace: Namespace, granted: Granted): void {
  setWallets(latchkey, namespace, ({ state, others }) => {
    const wallet = connected(granted)
    if (state.status === 'disconnected') return { state: wallet, others }
    return { state, others: [...others.filter(({ connectorId }) => connectorId !== granted.connectorId), wallet] }
  })
}

/** Puts some wallets first; the first of all that stand is the primary one. */
export function putFirst(latchkey: Latchkey, namespace: Namespace, connectorIds: readonly string[]): void {
  const rank = ({ connectorId }: Connected): number =>
    connectorIds.includes(connectorId) ? connectorIds.indexOf(connectorId) : connectorIds.length
  setWallets(latchkey, namespace, (before) => {
    const primary = standing(before.state)
    const all = primary === undefined ? before.others : [primary, ...before.others]
    const [first, ...rest] = all.toSorted((one, other) => rank(one) - rank(other))
    if (first === undefined) return before
    return primary === undefined
      ? { ...before, others: [first, ...rest] }
      : { state: withStanding(before.state, first), others: rest }
  })
}
