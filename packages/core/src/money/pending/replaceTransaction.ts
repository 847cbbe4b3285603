import { createErrors, parseAccountId } from '@latchkey/protocol'
import { connectionForRequest } from '../../requests/requestOptions.ts'
import { defineFeature, getFeature } from '../../instance/defineFeature.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { getActiveConnection, type ActiveConnection } from '../../state/connectedWallets.ts'
import type { Outcome, SubmittedTransaction } from '../transfers.ts'
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
export type Replacement = { readonly sent: SubmittedTransaction; readonly outcome: Promise<Outcome> }

type PendingReplacement = { readonly how: 'faster' | 'cancel'; readonly replacement: Promise<Replacement> }

/** The replacements whose outcome is not known yet, by the chain and hash of the replaced transaction. */
const pendingReplacements = defineFeature(() => new Map<string, PendingReplacement>())

/**
 * Replaces a pending transaction: with the same at a higher price, or with an empty one that cancels it. Repeated calls
 * send a single request to the wallet, and return the same replacement until its outcome is known.
 *
 * @throws LatchkeyError `transaction/not-replaceable` if it is too late, another replacement was sent, or the wallet does
 * not support it, `request/rejected`
 * @example
 * const [pending] = pendingTransactions(latchkey).getState()
 * if (pending !== undefined) await replaceTransaction(latchkey, pending, 'cancel')
 */
export function replaceTransaction(
  latchkey: Latchkey,
  { hash, chainId }: Pick<PendingTransaction, 'hash' | 'chainId'>,
  how: 'faster' | 'cancel',
): Promise<Replacement> {
  const replacements = getFeature(latchkey, pendingReplacements)
  const name = `${chainId}/${hash}`
  const present = replacements.get(name)
  if (present?.how === how) return present.replacement
  // Another replacement of the same transaction would have to pay more than the first one.
  const isIt = (each: PendingTransaction): boolean => each.hash === hash && each.chainId === chainId
  const entry = pendingTransactions(latchkey).getState().find(isIt)
  if (present !== undefined || entry === undefined) {
    return Promise.reject(replaceError('transaction/not-replaceable', { hash }))
  }
  const replacement = connectionForRequest(latchkey, { chainId }).then(async (connection) => {
    const sent = await sendReplacement(connection, entry, how)
    const what = how === 'cancel' ? ({ kind: 'cancel' } as const) : entry.what
    return { sent, outcome: followTransaction(latchkey, { sent, chainId, from: entry.from, what, replaces: hash }) }
  })
  replacements.set(name, { how, replacement })
  const forget = (): void => void replacements.delete(name)
  // A replacement with an unknown outcome stays on the list.
  replacement.then(async ({ outcome }) => (await outcome).status !== 'unknown' && forget(), forget)
  return replacement
}

/**
 * True if the connected wallet is known to support `replaceTransaction` with `faster`: it signs a transaction without
 * sending it, so that its nonce can be verified first. Most extensions don't, and speed up transactions by themselves.
 *
 * @throws never
 * @example if (await canSpeedUp(latchkey, pending)) await replaceTransaction(latchkey, pending, 'faster')
 */
export async function canSpeedUp(latchkey: Latchkey, { from }: Pick<PendingTransaction, 'from'>): Promise<boolean> {
  try {
    const { namespace, address } = parseAccountId(from)
    const { adapter, state } = getActiveConnection(latchkey, namespace)
    const transfers = await adapter.transfers?.()
    return parseAccountId(state.account).address === address && transfers?.canSpeedUp?.(state.connection) === true
  } catch {
    return false
  }
}

async function sendReplacement(
  { adapter, state, network }: ActiveConnection,
  entry: PendingTransaction,
  how: 'faster' | 'cancel',
): Promise<SubmittedTransaction> {
  const transfers = await adapter.transfers?.()
  if (transfers?.replace === undefined || state.account !== entry.from) {
    throw replaceError('transaction/not-replaceable', { hash: entry.hash })
  }
  return transfers.replace(state.connection, network, entry.from, entry, how)
}
