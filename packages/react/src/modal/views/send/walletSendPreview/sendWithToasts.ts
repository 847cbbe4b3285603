import { getAccount, type Latchkey } from '@latchkey/core'
import { internalsOf } from '@latchkey/core/internal'
import { sendState, type Outcome } from '@latchkey/core/money'
import { confirmSend, formatSendNotice, showToast } from '@latchkey/modal'
import type { SendMessages } from '@latchkey/modal/messages'

/**
 * Asks the wallet to send the payment, and shows the outcome in toasts, also after the view is closed. Repeated calls send a
 * single request.
 */
export async function sendWithToasts(latchkey: Latchkey, t: SendMessages, wallet: string): Promise<void> {
  const { loading, token, amount } = sendState(latchkey).getState()
  if (loading) return
  const { network } = getAccount(latchkey)
  const sending = confirmSend(latchkey, (notice) => formatSendNotice(notice, t))
  showToast(latchkey, t.approve({ wallet }), { variant: 'loading' })
  try {
    const { outcome } = await sending
    // If the transaction is mined at once, users could not read the first toast.
    const [end] = await Promise.all([outcome, readFor(latchkey, startedMilliseconds)])
    const adapter = latchkey.adapters.find(({ namespace }) => namespace === network?.chainNamespace)
    const href = network === undefined ? undefined : adapter?.explorerUrl(network, { transaction: minedHash(end) })
    tellEnd(latchkey, t, end, {
      amount: `${amount} ${token?.asset.symbol ?? ''}`,
      link: href === undefined ? undefined : { label: t.explorer, href },
    })
  } catch {
    // `confirmSend` shows the failure. The form keeps its values.
  }
}

/** The time that the first toast stays at least. */
const startedMilliseconds = 1_500

function readFor(latchkey: Pick<Latchkey, 'internal'>, milliseconds: number): Promise<void> {
  return new Promise((resolve) => internalsOf(latchkey).clock.after(milliseconds, resolve))
}

/** Shows the final outcome. `confirmSend` shows reverted payments. */
function tellEnd(
  latchkey: Latchkey,
  t: SendMessages,
  end: Outcome,
  { amount, link }: { amount: string; link: { label: string; href: string } | undefined },
): void {
  if (end.status === 'mined') return showToast(latchkey, t.mined({ amount }))
  if (end.status === 'unknown') {
    return showToast(latchkey, t.pending, { variant: 'error', autoClose: false, link })
  }
  if (end.status !== 'replaced') return
  if (end.how === 'repriced') return showToast(latchkey, t.mined({ amount }))
  showToast(latchkey, end.how === 'cancelled' ? t.cancelled : t.replaced, { link })
}

function minedHash(end: Outcome): string {
  return end.status === 'replaced' ? end.by : end.hash
}
