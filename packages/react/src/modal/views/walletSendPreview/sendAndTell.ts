import { getAccount, showToast, type Latchkey } from '@latchkey/core'
import { sendNow, sendState, type Outcome, type SayNotice } from '@latchkey/core/money'
import type { SendTexts } from '../../../strings/send/texts.ts'

/**
 * Asks the wallet to send the payment, once however often it is pressed, and tells how it goes: when it is under way,
 * when it is mined, and when nobody knows. It goes on when the views are gone.
 */
export async function sendAndTell(latchkey: Latchkey, t: SendTexts, wallet: string): Promise<void> {
  const { loading, token, amount } = sendState(latchkey).getState()
  if (loading) return
  const { network } = getAccount(latchkey)
  const sending = sendNow(latchkey, sayIn(t))
  showToast(latchkey, t.approve(wallet), { variant: 'loading' })
  try {
    const { outcome } = await sending
    // What is mined at once would take the words away that tell that it began.
    const [end] = await Promise.all([outcome, readFor(latchkey, startedMilliseconds)])
    const adapter = latchkey.adapters.find(({ namespace }) => namespace === network?.chainNamespace)
    const href = network === undefined ? undefined : adapter?.explorerUrl(network, { transaction: nameOf(end) })
    tellEnd(latchkey, t, end, {
      amount: `${amount} ${token?.asset.symbol ?? ''}`,
      link: href === undefined ? undefined : { label: t.explorer, href },
    })
  } catch {
    // Said by `sendNow`; the form keeps what was entered.
  }
}

/** How long it takes to read that a payment began. */
const startedMilliseconds = 1_500

function readFor({ clock }: Latchkey, milliseconds: number): Promise<void> {
  return new Promise((resolve) => clock.after(milliseconds, resolve))
}

/** What happened in the end; what was reverted is told by `sendNow`. */
function tellEnd(
  latchkey: Latchkey,
  t: SendTexts,
  end: Outcome,
  { amount, link }: { amount: string; link: { label: string; href: string } | undefined },
): void {
  if (end.status === 'mined') return showToast(latchkey, t.mined(amount))
  if (end.status === 'unknown') {
    return showToast(latchkey, t.pending, { variant: 'error', autoClose: false, link })
  }
  if (end.status !== 'replaced') return
  if (end.how === 'repriced') return showToast(latchkey, t.mined(amount))
  showToast(latchkey, end.how === 'cancelled' ? t.cancelled : t.replaced, { link })
}

function nameOf(end: Outcome): string {
  return end.status === 'replaced' ? end.by : end.hash
}

/** The notices of a payment in the visitor's language. */
function sayIn(t: SendTexts): SayNotice {
  return (notice) => {
    switch (notice.said) {
      case 'unsupported':
        return t.unsupportedChain
      case 'failed-try-again':
        return t.tryAgain
      case 'reverted':
        return t.reverted(notice.reason)
      default:
        return t[notice.said]
    }
  }
}
