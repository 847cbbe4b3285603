import type { Latchkey } from '@latchkey/core'
import { connectedWallet } from '@latchkey/core/internal'
import type { PendingTransaction } from '@latchkey/core/money'
import { namespaces, parseAccountId } from '@latchkey/protocol'
import type { StoreApi } from 'zustand/vanilla'
import type { HoldingsMessages } from '../messages/generated/index.ts'
import type { PendingTexts } from '../modal.ts'

type Messages = Pick<HoldingsMessages, 'pending'>

type Stores = Pick<Latchkey, 'wallet'> & {
  pending: StoreApi<readonly PendingTransaction[]>
  pendingTexts: StoreApi<PendingTexts>
}

/** Writes the number of pending transactions of each connected account for the buttons. */
export function followPendingTexts({ wallet, pending, pendingTexts }: Stores, messages: Messages): () => void {
  let own: PendingTexts = {}
  const write = (): void => {
    own = listPendingTexts(wallet.getState().namespaces, pending.getState(), messages)
    pendingTexts.setState(own, true)
  }
  const stops = [pending.subscribe(write), wallet.subscribe(write)]
  write()
  return () => {
    for (const stop of stops) stop()
    // Another caller may have begun already, for example in another language.
    if (pendingTexts.getState() === own) pendingTexts.setState({}, true)
  }
}

function listPendingTexts(
  states: ReturnType<Latchkey['wallet']['getState']>['namespaces'],
  pending: readonly PendingTransaction[],
  messages: Messages,
): PendingTexts {
  const texts: { -readonly [namespace in keyof PendingTexts]: PendingTexts[namespace] } = {}
  const senders = pending.map(({ from }) => parseAccountId(from))
  for (const namespace of namespaces) {
    const account = connectedWallet(states[namespace])?.account
    if (account === undefined) continue
    const { address } = parseAccountId(account)
    const count = senders.filter((sender) => sender.namespace === namespace && sender.address === address).length
    if (count > 0) texts[namespace] = messages.pending({ count })
  }
  return texts
}
