import { isLatchkeyError } from '@latchkey/protocol'
import { showToast } from '../../actions/notices.ts'
import type { Latchkey } from '../../latchkey.ts'
import type { Transfers } from '../transfers.ts'

/** What a visitor is told of a payment. */
export type SendNotice =
  | { said: 'started' }
  /** He declined it in his wallet: nothing is wrong. */
  | { said: 'declined' }
  /** The wallet was asked, and nobody knows what became of it. */
  | { said: 'uncertain' }
  | { said: 'incomplete' }
  | { said: 'unsupported' }
  /** The balance does not pay it any more. */
  | { said: 'short' }
  | { said: 'failed' }
  /** The same, where the family asks to try again [R8.2.4]. */
  | { said: 'failed-try-again' }
  /** The chain did not carry it out, for a reason in a contract's own words. */
  | { said: 'reverted'; reason: string }

/** How a notice is said, in the language of the page. */
export type SayNotice = (notice: SendNotice) => string

const english: { readonly [said in SendNotice['said']]: string } = {
  started: 'Transaction started',
  declined: 'You declined the payment in your wallet.',
  uncertain: 'Your wallet did not say whether it sent the payment. Look it up there before you try again.',
  incomplete: 'Please enter a valid amount and receiver address',
  unsupported: 'Unsupported chain',
  short: 'Your balance does not cover this payment any more.',
  failed: 'Something went wrong',
  'failed-try-again': 'Failed to send transaction. Please try again.',
  reverted: 'The network did not carry the payment out:',
}

/** Says a notice in English. */
export function sayInEnglish(notice: SendNotice): string {
  return notice.said === 'reverted' ? `${english.reverted} ${notice.reason}` : english[notice.said]
}

/** Shows a notice as a toast. A payment that was declined, or that may well be under way, is no fault. */
export function tell(latchkey: Latchkey, say: SayNotice, notice: SendNotice): void {
  showToast(latchkey, say(notice), { variant: notice.said === 'started' ? 'success' : 'error' })
}

/** What is told of a failure. */
export function noticeOf(error: unknown, transfers: Transfers | undefined): SendNotice {
  if (!isLatchkeyError(error)) return failed(transfers)
  if (isLatchkeyError(error, 'transaction/reverted')) return { said: 'reverted', reason: error.context.reason }
  switch (error.code) {
    case 'request/rejected':
      return { said: 'declined' }
    case 'request/unknown':
    case 'send/uncertain':
      return { said: 'uncertain' }
    case 'send/incomplete':
      return { said: 'incomplete' }
    case 'send/unsupported':
      return { said: 'unsupported' }
    case 'send/short':
      return { said: 'short' }
    default:
      return failed(transfers)
  }
}

function failed(transfers: Transfers | undefined): SendNotice {
  return { said: transfers?.asksToTryAgain === true ? 'failed-try-again' : 'failed' }
}
