import { parseAmount, type Latchkey } from '@latchkey/core'
import { followPayments, type FormatAmounts } from '@latchkey/modal'
import { holdingsMessages, modalMessages } from '@latchkey/modal/messages'
import { mergeMessages, type MessageChunk } from '@latchkey/protocol/messages'
import { decimalText, quantityText } from '../../../messages/quantityText.ts'

/** Loads the texts of a language for `followPayments`, or English if they can't be fetched. */
export async function loadFollowing(locale: string | undefined): Promise<(latchkey: Latchkey) => () => void> {
  const [messages, { reasons }] = await Promise.all([
    loadChunk(holdingsMessages, locale),
    loadChunk(modalMessages, locale),
  ])
  const formatAmounts: FormatAmounts = {
    exact: (amount) => decimalText(locale, amount),
    short: (amount) => {
      const decimals = amount.split('.')[1]?.length ?? 0
      return quantityText(locale, parseAmount(amount, decimals), decimals)
    },
  }
  return (latchkey) => followPayments(latchkey, { messages, reasons, formatAmounts })
}

async function loadChunk<messages extends object>(
  { english, translations }: MessageChunk<messages>,
  locale: string | undefined,
): Promise<messages> {
  const load = locale === undefined ? undefined : translations[locale]
  const chunk = await load?.().catch(() => undefined)
  return mergeMessages(english, chunk?.translation)
}
