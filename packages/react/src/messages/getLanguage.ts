import { matchLocale, textDirection } from '@latchkey/protocol/messages'
import { buttonsTranslations, locales, type ButtonsMessages, type Locale } from '@latchkey/modal/messages'

/** The current language, as far as the page needs it before the modal is loaded. */
export type Language = {
  locale: Locale
  direction: 'ltr' | 'rtl'
  texts: ButtonsMessages
}

/**
 * Finds the language to use.
 *
 * @param requested a BCP 47 tag, or `auto` for the first available of the browser's languages
 * @returns English if there is no such language
 * @example getLanguage('de-AT').locale // 'de'
 */
export function getLanguage(requested: string, browser: readonly string[] = browserLanguages()): Language {
  const locale = matchLocale(requested === 'auto' ? browser : [requested], locales)
  return { locale, direction: textDirection(locale), texts: buttonsTranslations[locale] }
}

function browserLanguages(): readonly string[] {
  return typeof navigator === 'undefined' ? [] : navigator.languages
}
