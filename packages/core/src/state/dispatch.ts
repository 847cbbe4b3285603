import type { Namespace } from '@latchkey/protocol'
import type { Latchkey } from '../instance/latchkey.ts'
import { connectedWallet, type Connected, type ConnectionEvent, type ConnectionState } from './connectionState.ts'
import { reduceWalletEvent, reduceConnection } from './reduceConnection.ts'
import { connectionStateOf } from './getAccount.ts'

/** Sends an event to the state machine of one namespace. */
export function dispatch(
  latchkey: Pick<Latchkey, 'wallet' | 'internal'>,
  namespace: Namespace,
  event: ConnectionEvent,
): void {
  setWallets(latchkey, namespace, (before) => reduceWallets(before, event, latchkey.internal.settings.multiWallet))
}

/** Changes the wallets of a namespace. Subscribers run only if something changed. */
export function setWallets(
  latchkey: Pick<Latchkey, 'wallet'>,
  namespace: Namespace,
  change: (before: Wallets) => Wallets,
): void {
  const all = latchkey.wallet.getState()
  const before: Wallets = { state: connectionStateOf(latchkey, namespace), others: all.others[namespace] ?? [] }
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

/** A namespace with all its wallets: the primary one and the others, the last used first. */
export type Wallets = { state: ConnectionState; others: readonly Connected[] }

/**
 * Returns all wallets of a namespace after an event. With `several`, a new wallet does not replace the previous one.
 */
function reduceWallets(wallets: Wallets, event: ConnectionEvent, several: boolean): Wallets {
  const { state } = wallets
  let { others } = wallets
  const before = connectedWallet(state)
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
        others = others.map((other) => reduceWalletEvent(other, event))
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
