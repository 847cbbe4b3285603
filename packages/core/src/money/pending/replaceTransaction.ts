import { createErrors } from '@latchkey/protocol'
import { live } from '../../actions/requestOptions.ts'
import { companion } from '../../companion.ts'
import type { Latchkey } from '../../latchkey.ts'
import type { Outcome, Sent } from '../transfers.ts'
import { followTransaction } from './followTransaction.ts'
import { pendingTransactions, type PendingTransaction } from './pendingTransactions.ts'

const replaceError = createErrors({
  'transaction/not-replaceable': ({ hash }) =>
    `The transaction ${hash} cannot be replaced from here. The wallet itself may still be able to.`,
})

/** What took the place of a transaction, and how that ends. */
export type Replacement = { readonly sent: Sent; readonly outcome: Promise<Outcome> }

const key = Symbol('replacements under way')

/**
 * Puts another transaction in the place of one on the list: the same at a higher price, or one that does nothing. However
 * often it is called meanwhile, the wallet is asked once.
 *
 * @throws LatchkeyError `transaction/not-replaceable` when it is too late or the wallet cannot, `request/rejected`.
 * @example await replaceTransaction(latchkey, pending, 'cancel')
 */
export function replaceTransaction(
  latchkey: Latchkey,
  of: Pick<PendingTransaction, 'hash' | 'chainId'>,
  how: 'faster' | 'cancel',
): Promise<Replacement> {
  const under = companion(latchkey, key, () => new Map<string, Promise<Replacement>>())
  const name = `${of.chainId}/${of.hash}`
  const present = under.get(name)
  if (present !== undefined) return present
  const replacing = replaceOnce(latchkey, of, how).finally(() => under.delete(name))
  under.set(name, replacing)
  return replacing
}

async function replaceOnce(
  latchkey: Latchkey,
  { hash, chainId }: Pick<PendingTransaction, 'hash' | 'chainId'>,
  how: 'faster' | 'cancel',
): Promise<Replacement> {
  const isIt = (each: PendingTransaction): boolean => each.hash === hash && each.chainId === chainId
  const entry = pendingTransactions(latchkey).getState().find(isIt)
  if (entry === undefined) throw replaceError('transaction/not-replaceable', { hash })
  const { adapter, state, network } = await live(latchkey, { chainId })
  const transfers = await adapter.transfers?.()
  if (transfers?.replace === undefined || state.account !== entry.from) {
    throw replaceError('transaction/not-replaceable', { hash })
  }
  const sent = await transfers.replace(state.connection, network, entry.from, entry, how)
  const what = how === 'cancel' ? ({ kind: 'cancel' } as const) : entry.what
  const outcome = followTransaction(latchkey, { sent, chainId, from: entry.from, what, replaces: hash })
  return { sent, outcome }
}
