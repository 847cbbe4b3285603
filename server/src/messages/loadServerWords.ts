import { loadMessages, textDirection } from '@latchkey/protocol/messages'
import { serverMessages, type Locale, type ServerMessages } from './generated/index.ts'

/** The texts of mails and pages in one language, and the direction that it is written in. */
export type ServerWords = ServerMessages & { readonly locale: Locale; readonly direction: 'ltr' | 'rtl' }

/**
 * Loads the texts of a language.
 *
 * @example const words = await loadServerWords('de') // words.linkPage.time === 'Zeit'
 */
export async function loadServerWords(locale: Locale): Promise<ServerWords> {
  return { ...(await loadMessages(serverMessages, locale)), locale, direction: textDirection(locale) }
}
