import type { Latchkey } from '@latchkey/core'
import { followPayments } from '@latchkey/modal'
import { holdingsMessages } from '@latchkey/modal/messages'
import { mergeMessages } from '@latchkey/protocol/messages'

/** Starts `followPayments` with the texts of a language, or in English if they can't be fetched. */
export async function followPaymentsIn(latchkey: Latchkey, locale: string | undefined): Promise<() => void> {
  const { english, translations } = holdingsMessages
  const load = locale === undefined ? undefined : translations[locale]
  const chunk = await load?.().catch(() => undefined)
  return followPayments(latchkey, { messages: mergeMessages(english, chunk?.translation) })
}
