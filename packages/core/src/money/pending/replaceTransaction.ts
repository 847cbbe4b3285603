import { createErrors } from '@latchkey/protocol'
import { connectionForRequest } from '../../requests/requestOptions.ts'
import { defineFeature, getFeature } from '../../instance/feature.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import type { Outcome, Sent } from '../transfers.ts'
import { followTransaction } from './followTransaction.ts'
import { pendingTransactions, type PendingTransaction } from './pendingTransactions.ts'

declare module '@latchkey/protocol' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface ErrorContexts {
    'transaction/not-replaceable': { hash: string }
  }
}

const replaceError = createErrors({
  'transaction/not-replaceable': ({ hash }) =>
    `The transaction ${hash} cannot be replaced here. Try to replace it in the wallet.`,
})

/** A replacement transaction and its outcome. */
export type Replacement = { readonly sent: Sent; readonly outcome: Promise<Outcome> }

/** The pending replacement requests, by chain and hash. */
const pendingReplacements = defineFeature(() => new Map<string, Promise<Replacement>>())

/**
 * Replaces a pending transaction: with the same at a higher price, or with an empty one that cancels it. Repeated calls
 * send a single request to the wallet.
 *
 * @throws LatchkeyError `transaction/not-replaceable` if it is too late or the wallet does not support it,
 * `request/rejected`
 * @example
 * const [pending] = pendingTransactions(latchkey).getState()
 * if (pending !== undefined) await replaceTransaction(latchkey, pending, 'cancel')
 */
export function replaceTransaction(
  latchkey: Latchkey,
  of: Pick<PendingTransaction, 'hash' | 'chainId'>,
  how: 'faster' | 'cancel',
): Promise<Replacement> {
  const replacements = getFeature(latchkey, pendingReplacements)
  const name = `${of.chainId}/${of.hash}`
  const present = replacements.get(name)
  if (present !== undefined) return present
  const replacing = replaceOnce(latchkey, of, how).finally(() => replacements.delete(name))
  replacements.set(name, replacing)
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
  const { adapter, state, network } = await connectionForRequest(latchkey, { chainId })
  const transfers = await adapter.transfers?.()
  if (transfers?.replace === undefined || state.account !== entry.from) {
    throw replaceError('transaction/not-replaceable', { hash })
  }
  const sent = await transfers.replace(state.connection, network, entry.from, entry, how)
  const what = how === 'cancel' ? ({ kind: 'cancel' } as const) : entry.what
  const outcome = followTransaction(latchkey, { sent, chainId, from: entry.from, what, replaces: hash })
  return { sent, outcome }
}
