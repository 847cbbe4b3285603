import type { Latchkey } from '@latchkey/core'
import { followPayments } from '@latchkey/modal'
import { holdingsMessages } from '@latchkey/modal/messages'
import { mergeMessages } from '@latchkey/protocol/messages'

/** Loads the texts of a language for `followPayments`, or English if they can't be fetched. */
export async function loadFollowing(locale: string | undefined): Promise<(latchkey: Latchkey) => () => void> {
  const { english, translations } = holdingsMessages
  const load = locale === undefined ? undefined : translations[locale]
  const chunk = await load?.().catch(() => undefined)
  const messages = mergeMessages(english, chunk?.translation)
  return (latchkey) => followPayments(latchkey, { messages })
}
