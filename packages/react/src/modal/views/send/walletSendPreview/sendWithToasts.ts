import type { Latchkey } from '@latchkey/core'
import { sendState } from '@latchkey/core/money'
import { confirmSend, formatSendNotice, showToast, type SendNotice } from '@latchkey/modal'
import type { SendMessages } from '@latchkey/modal/messages'
import { decimalText } from '../../../../messages/quantityText.ts'
import type { Strings } from '../../../../messages/strings.ts'

/**
 * Asks the wallet to send the payment. `confirmSend` shows its progress and the outcome, even after the view is closed.
 * Repeated calls send a single request.
 */
export async function sendWithToasts(
  latchkey: Latchkey,
  {
    t,
    strings,
    wallet,
    locale,
  }: { t: SendMessages; strings: Pick<Strings, 'reasons'>; wallet: string; locale: string | undefined },
): Promise<void> {
  if (sendState(latchkey).getState().loading) return
  const sending = confirmSend(latchkey, (notice) =>
    formatSendNotice(localizeAmount(locale, notice), t, strings.reasons),
  )
  showToast(latchkey, t.approve({ wallet }), { variant: 'loading' })
  // The form keeps its values after a failure.
  await sending.catch(() => undefined)
}

function localizeAmount(locale: string | undefined, notice: SendNotice): SendNotice {
  return notice.kind === 'mined' ? { ...notice, amount: decimalText(locale, notice.amount) } : notice
}
