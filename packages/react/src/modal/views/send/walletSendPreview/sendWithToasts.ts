import { formatAmount, getAccount, shortenAddress, type Latchkey } from '@latchkey/core'
import { internalsOf, parseUnits } from '@latchkey/core/internal'
import { sendState, type Outcome, type SendToken } from '@latchkey/core/money'
import { confirmSend, formatSendNotice, showPendingToast, showToast } from '@latchkey/modal'
import type { SendMessages } from '@latchkey/modal/messages'
import { decimalText } from '../../../../messages/quantityText.ts'
import type { Strings } from '../../../../messages/strings.ts'

/**
 * Asks the wallet to send the payment, and shows the outcome in toasts, even after the view is closed. Repeated calls
 * send a single request.
 */
export async function sendWithToasts(
  latchkey: Latchkey,
  { t, strings, wallet, locale }: { t: SendMessages; strings: Strings; wallet: string; locale: string | undefined },
): Promise<void> {
  const { loading, token, amount: entry, receiverName, receiverAddress = '' } = sendState(latchkey).getState()
  if (loading) return
  const { network } = getAccount(latchkey)
  const sending = confirmSend(latchkey, (notice) => formatSendNotice(notice, t, strings.reasons))
  showToast(latchkey, t.approve({ wallet }), { variant: 'loading' })
  try {
    const { outcome } = await sending
    // If the transaction is mined at once, users could not read the first toast.
    const [end] = await Promise.all([outcome, readFor(latchkey, startedMilliseconds)])
    const adapter = latchkey.adapters.find(({ namespace }) => namespace === network?.chainNamespace)
    const href = network === undefined ? undefined : adapter?.explorerUrl(network, { transaction: getMinedHash(end) })
    showOutcome(latchkey, t, end, {
      amount: token === undefined ? '' : amountText(locale, entry, token),
      receiver: receiverName ?? shortenAddress(receiverAddress),
      link: href === undefined ? undefined : { label: t.explorer, href },
    })
  } catch {
    // `confirmSend` shows the failure. The form keeps its values.
  }
}

/** Formats what was sent: an entry may have more digits than the token has decimals. */
function amountText(locale: string | undefined, entry: string, { asset: { symbol, decimals } }: SendToken): string {
  const units = parseUnits(entry, decimals)
  return `${units === undefined ? entry : decimalText(locale, formatAmount(units, decimals))} ${symbol}`
}

/** The time that the first toast stays at least. */
const startedMilliseconds = 1_500

function readFor(latchkey: Pick<Latchkey, 'internal'>, milliseconds: number): Promise<void> {
  return new Promise((resolve) => internalsOf(latchkey).clock.after(milliseconds, resolve))
}

/** Shows the final outcome. `confirmSend` shows reverted payments. */
function showOutcome(
  latchkey: Latchkey,
  t: SendMessages,
  end: Outcome,
  { amount, receiver, link }: { amount: string; receiver: string; link: { label: string; href: string } | undefined },
): void {
  if (end.status === 'mined') return showToast(latchkey, t.mined({ amount, receiver }), { link })
  if (end.status === 'unknown') {
    return showPendingToast(latchkey, t.pending, { hash: end.hash, link })
  }
  if (end.status !== 'replaced') return
  if (end.how === 'repriced') return showToast(latchkey, t.mined({ amount, receiver }), { link })
  showToast(latchkey, end.how === 'cancelled' ? t.cancelled : t.replaced, { link })
}

function getMinedHash(end: Outcome): string {
  return end.status === 'replaced' ? end.by : end.hash
}
