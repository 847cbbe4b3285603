import type { Namespace } from '@latchkey/protocol'
import type { Latchkey } from '../latchkey.ts'
import { standing, type Connected, type ConnectionEvent, type ConnectionState } from './connections.ts'
import { follow, reduceConnection } from './reduceConnection.ts'
import { stateOf } from './wallet.ts'

/** Sends an event to the machine of one namespace. */
export function dispatch(latchkey: Latchkey, namespace: Namespace, event: ConnectionEvent): void {
  setWallets(latchkey, namespace, (before) => reduceWallets(before, event, latchkey.settings.multiWallet))
}

/** Changes the wallets of one namespace, and tells nobody when nothing changed. */
export function setWallets(latchkey: Latchkey, namespace: Namespace, change: (before: Wallets) => Wallets): void {
  const all = latchkey.wallet.getState()
  const before: Wallets = { state: stateOf(latchkey, namespace), others: all.others[namespace] ?? [] }
  const { state, others } = change(before)
  if (state === before.state && others === before.others) return
  latchkey.wallet.setState(
    {
      ...all,
      namespaces: { ...all.namespaces, [namespace]: state },
      others: { ...all.others, [namespace]: others },
    },
    true,
  )
}

/** A namespace with all of its wallets: the primary one, and those that stand beside it, the last used first. */
export type Wallets = { state: ConnectionState; others: readonly Connected[] }

/** All wallets of a namespace after an event. Where `several` may stand, a new one does not replace the one before. */
function reduceWallets(wallets: Wallets, event: ConnectionEvent, several: boolean): Wallets {
  const { state } = wallets
  let { others } = wallets
  const before = standing(state)
  const previous = before === undefined ? [] : [before]
  const without = (id: string, all: readonly Connected[] = others): readonly Connected[] =>
    all.filter(({ connectorId }) => connectorId !== id)
  switch (event.type) {
    case 'granted':
      others = several ? without(event.connectorId, [...previous, ...others]) : []
      break
    case 'ended':
      others = event.connectorId === undefined ? [] : without(event.connectorId)
      break
    case 'accounts':
    case 'account':
    case 'chain':
      if (others.some(({ connection }) => connection === event.connection)) {
        others = others.map((other) => follow(other, event))
      }
      break
    default:
  }
  const after = reduceConnection(state, event)
  const [next, ...left] = others
  return after.status === 'disconnected' && next !== undefined
    ? { state: next, others: left }
    : { state: after, others }
}
