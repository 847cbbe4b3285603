import { displayAmount, parseAmount, shortenAddress, type Latchkey } from '@latchkey/core'
import { claimOutcome, defineFeature, getFeature } from '@latchkey/core/internal'
import type { CallsOutcome, NamedTransaction, Purpose, TrackedOutcome } from '@latchkey/core/money'
import { holdingsMessages, type HoldingsMessages } from '../messages/generated/index.ts'
import { reasonText, type Reasons } from '../messages/reasonText.ts'
import { modalOf, type OutcomeReporter } from '../modal.ts'
import { explorerLink, getMinedHash } from '../notices/explorerLink.ts'
import { hideToast, showToast } from '../notices/showToast.ts'
import type { ToastLink, ToastState } from '../notices/toastState.ts'

/** Formats amounts, given as decimal text, in the language of the page. */
export type FormatAmounts = {
  /** With all digits. */
  exact(amount: string): string
  /** As balances are formatted. */
  short(amount: string): string
}

/** The texts of outcomes. */
export type OutcomeTexts = { messages: HoldingsMessages; reasons?: Reasons; formatAmounts?: FormatAmounts }

/** The outcomes that a toast above the page shows. */
type UnseenOutcomes = {
  message: string | undefined
  count: number
  /** True while the last toast closes, before this one appears. */
  isScheduled: boolean
}

const unseenOutcomes = defineFeature((): UnseenOutcomes => ({ message: undefined, count: 0, isScheduled: false }))

/**
 * Creates the reporter of a language. In the open modal, a toast closes by itself. While the modal is closed, it stays
 * until the user closes it or opens the modal, and counts several outcomes.
 */
export function createOutcomeReporter(latchkey: Latchkey, texts: OutcomeTexts): OutcomeReporter {
  const { messages, formatAmounts = englishAmounts } = texts
  const linkTo: OutcomeReporter['linkTo'] = (of) => explorerLink(latchkey, of, messages.details.explorer)
  return {
    linkTo,
    show(transaction, outcome, text = formatOutcome(transaction, outcome, texts)) {
      const { chainId, hash } = transaction
      const variant = isGood(outcome) ? 'success' : 'error'
      const link = linkTo({ chainId, hash: outcome.status === 'reorged' ? hash : getMinedHash(outcome) })
      showReported({ latchkey, messages, text, variant, link })
    },
    showPurchase({ status, bought, chainId, hash }) {
      const amount = bought === undefined ? '' : `${formatAmounts.short(bought.amount)} ${bought.currency}`
      const hasArrived = status === 'arrived'
      showReported({
        latchkey,
        messages,
        text: hasArrived ? messages.outcomes.bought({ amount }).trim() : messages.outcomes.notBought,
        variant: hasArrived ? 'success' : 'error',
        link: chainId === undefined ? undefined : linkTo({ chainId, hash }),
      })
    },
  }
}

/**
 * Shows the outcome of a transaction that this page sent, unless another tab of the site has shown it while this one was
 * hidden.
 *
 * @param text the text in the language of the caller; it is derived from the purpose if omitted
 */
export async function showOutcome(
  latchkey: Latchkey,
  transaction: NamedTransaction,
  outcome: Exclude<CallsOutcome, { status: 'unknown' }>,
  text?: string,
): Promise<void> {
  if (await claimReport(latchkey, transaction, outcome)) return getReporter(latchkey).show(transaction, outcome, text)
  const toast = modalOf(latchkey).toast.getState()
  if (toast.open && toast.variant === 'loading') hideToast(latchkey)
}

/** Shows the outcome of a transaction, unless another tab of the site has shown it. */
export async function reportOutcome(
  latchkey: Latchkey,
  transaction: NamedTransaction,
  outcome: TrackedOutcome,
): Promise<void> {
  if (await claimReport(latchkey, transaction, outcome)) getReporter(latchkey).show(transaction, outcome)
}

/** A replacement and its original have one outcome, which is shown once. */
async function claimReport(
  latchkey: Latchkey,
  transaction: NamedTransaction,
  outcome: TrackedOutcome,
): Promise<boolean> {
  const { chainId, replaces } = transaction
  if (!(await claimOutcome(latchkey, transaction, outcome.status))) return false
  if (outcome.status !== 'mined' || replaces === undefined) return true
  return claimOutcome(latchkey, { chainId, hash: replaces }, 'replaced')
}

/** Returns the reporter of the page's language, or of English before `followPayments` runs. */
export function getReporter(latchkey: Latchkey): OutcomeReporter {
  const { reporter } = modalOf(latchkey).tasks
  return reporter ?? createOutcomeReporter(latchkey, { messages: holdingsMessages.english })
}

/** Hides the outcomes above the page when the modal opens: its activity shows them. */
export function followUnseenOutcomes(latchkey: Latchkey): () => void {
  const { toast } = modalOf(latchkey)
  const unseen = getFeature(latchkey, unseenOutcomes)
  const stops = [
    toast.subscribe(({ open }) => {
      if (open) unseen.isScheduled = false
    }),
    latchkey.events.subscribe(({ type }) => {
      if (type === 'modal-open' && isShown(toast.getState(), unseen)) hideToast(latchkey)
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

type ShownOutcome = {
  latchkey: Latchkey
  messages: HoldingsMessages
  text: string
  variant: 'success' | 'error'
  link: ToastLink | undefined
}

function showReported({ latchkey, messages, text, variant, link }: ShownOutcome): void {
  const { state, toast } = modalOf(latchkey)
  if (state.getState().open) return showToast(latchkey, text, { variant, link })
  const unseen = getFeature(latchkey, unseenOutcomes)
  unseen.count = isShown(toast.getState(), unseen) ? unseen.count + 1 : 1
  const isAlone = unseen.count === 1
  const message = isAlone ? text : messages.outcomes.several({ count: unseen.count })
  unseen.message = message
  const replacesToast = toast.getState().open
  showToast(latchkey, message, {
    variant: isAlone ? variant : 'info',
    autoClose: false,
    link: isAlone ? link : undefined,
  })
  unseen.isScheduled = replacesToast || unseen.isScheduled
}

/** True while the toast of the last outcomes is open, or about to open. */
function isShown(toast: ToastState, { message, isScheduled }: UnseenOutcomes): boolean {
  return toast.open ? toast.message === message : isScheduled
}

function isGood(outcome: TrackedOutcome): boolean {
  return outcome.status === 'mined' || (outcome.status === 'replaced' && outcome.how !== 'other')
}

function formatOutcome(
  { what, replaces }: NamedTransaction,
  outcome: TrackedOutcome,
  { messages, reasons, formatAmounts }: OutcomeTexts,
): string {
  const { outcomes } = messages
  switch (outcome.status) {
    case 'mined':
      if (replaces !== undefined) return what.kind === 'cancel' ? outcomes.cancelled : outcomes.repriced
      return formatSuccess(what, outcomes, formatAmounts) ?? outcomes.mined
    case 'reverted':
      return outcomes.reverted({ reason: reasonText(outcome.reason, reasons) })
    case 'replaced':
      return outcomes[outcome.how]
    default:
      return outcomes[outcome.status]
  }
}

const englishAmounts: FormatAmounts = {
  exact: (amount) => amount,
  short: (amount) => {
    const decimals = amount.split('.')[1]?.length ?? 0
    return displayAmount(parseAmount(amount, decimals), decimals)
  },
}

/** Names the amount, the symbol and the receiver, as far as they are known. */
function formatSuccess(
  { kind, amount, symbol, to, name }: Purpose,
  messages: HoldingsMessages['outcomes'],
  { exact, short }: FormatAmounts = englishAmounts,
): string | undefined {
  if (kind === 'revoke') return messages.revoked
  if (symbol === undefined) return undefined
  if (kind === 'approve' && amount !== undefined) {
    if (amount === '0') return messages.allowanceRemoved({ symbol })
    return messages.approved({ amount: `${exact(amount)} ${symbol}` })
  }
  if (to === undefined) return undefined
  if (kind === 'send' && amount !== undefined) {
    return messages.sent({ amount: `${exact(amount)} ${symbol}`, receiver: name ?? shortenAddress(to) })
  }
  if (kind !== 'swap') return undefined
  return messages.swapped({ from: amount === undefined ? symbol : `${short(amount)} ${symbol}`, to })
}
