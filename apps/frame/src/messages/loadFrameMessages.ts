import { loadMessages, matchLocale, textDirection } from '@latchkey/protocol/messages'
import { frameMessages, locales, type FrameMessages, type Locale } from './generated/index.ts'

/** The texts of the frame in one language, and the direction that it is written in. */
export type Messages = FrameMessages & { readonly locale: Locale; readonly direction: 'ltr' | 'rtl' }

/** The default texts, until another language is loaded or if it cannot be loaded. */
export const englishMessages: Messages = { ...frameMessages.english, locale: 'en', direction: 'ltr' }

/**
 * Loads the texts in the first available language.
 *
 * @param requested BCP 47 tags, best first: the tag that the page sent, then `navigator.languages`
 * @returns English if none of the languages is available, or its texts cannot be fetched
 * @example const messages = await loadFrameMessages(['de-AT', 'en']) // messages.consent.allow === 'Verbinden'
 */
export async function loadFrameMessages(requested: readonly string[]): Promise<Messages> {
  const locale = matchLocale(requested, locales)
  if (locale === 'en') return englishMessages
  try {
    return { ...(await loadMessages(frameMessages, locale)), locale, direction: textDirection(locale) }
  } catch {
    return englishMessages
  }
}
