import { isLatchkeyError } from '@latchkey/protocol'
import type { Transfers } from '@latchkey/core/money'
import { sendMessages, type SendMessages } from '../messages/generated/index.ts'
import { reasonText, type Reasons } from '../messages/reasonText.ts'

/** A message to the user about a payment. */
export type SendNotice =
  | { kind: 'started' }
  /** It is signed, and no node confirmed that it received it. */
  | { kind: 'unconfirmed' }
  /** The user declined the payment in the wallet. */
  | { kind: 'declined' }
  /** The wallet was asked, and it is unknown if it sent the payment. */
  | { kind: 'uncertain' }
  | { kind: 'incomplete' }
  | { kind: 'unsupported' }
  /** The balance no longer covers the payment. */
  | { kind: 'short' }
  /** The wallet signed another payment, which was not sent. */
  | { kind: 'changed' }
  /** The account can't pay from here, for example an address for ordinals. */
  | { kind: 'otherAccount' }
  /** The wallet can't sign payments on this network. */
  | { kind: 'otherWallet' }
  | { kind: 'failed' }
  /** The same, for namespaces that ask the user to try again [R8.2.4]. */
  | { kind: 'failed-try-again' }
  /** The chain reverted the payment, with the reason in a contract's own words, which are not shown. */
  | { kind: 'reverted'; reason: string }
  /** The payment is confirmed. The amount is decimal text; the receiver is a name or a shortened address. */
  | { kind: 'mined'; amount: string; symbol: string; receiver: string }
  /** It was not found on the chain in time. */
  | { kind: 'pending' }
  /** Another transaction took its place. */
  | { kind: 'replaced' | 'cancelled' }

/** Formats a notice in the language of the page. */
export type FormatSendNotice = (notice: SendNotice) => string

/**
 * Formats a notice.
 *
 * @param messages the texts of the current language; English if omitted
 * @param reasons the reasons of a reverted payment in that language; English if omitted
 * @example formatSendNotice({ kind: 'started' }) // 'Transaction started'
 */
export function formatSendNotice(
  notice: SendNotice,
  messages: SendMessages = sendMessages.english,
  reasons?: Reasons,
): string {
  switch (notice.kind) {
    case 'unsupported':
      return messages.unsupportedChain
    case 'failed-try-again':
      return messages.tryAgain
    case 'reverted':
      return messages.reverted({ reason: reasonText(notice.reason, reasons) })
    case 'mined':
      return messages.mined({ amount: `${notice.amount} ${notice.symbol}`, receiver: notice.receiver })
    default:
      return messages[notice.kind]
  }
}

/** Returns the notice for a failed payment. */
export function toSendNotice(error: unknown, transfers: Transfers | undefined): SendNotice {
  const failed: SendNotice = { kind: transfers?.isRetryable === true ? 'failed-try-again' : 'failed' }
  if (!isLatchkeyError(error)) return failed
  if (isLatchkeyError(error, 'transaction/reverted')) return { kind: 'reverted', reason: error.context.reason }
  switch (error.code) {
    case 'request/rejected':
      return { kind: 'declined' }
    case 'request/unknown':
    case 'send/uncertain':
      return { kind: 'uncertain' }
    case 'send/incomplete':
      return { kind: 'incomplete' }
    case 'send/unsupported':
      return { kind: 'unsupported' }
    case 'send/insufficient-funds':
      return { kind: 'short' }
    case 'transaction/changed':
      return { kind: 'changed' }
    case 'request/not-allowed':
      return { kind: 'otherAccount' }
    case 'wallet/payments-unsupported':
      return { kind: 'otherWallet' }
    default:
      return failed
  }
}
