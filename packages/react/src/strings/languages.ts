import { buttonTexts, type ButtonTexts, type Locale } from './buttons.ts'
import { locales } from './locales.ts'

/** The language in use, as far as the page needs it before the modal is there. */
export type Language = {
  locale: Locale
  direction: 'ltr' | 'rtl'
  texts: ButtonTexts
}

const rightToLeft: readonly Locale[] = ['ar']

/**
 * The language to speak.
 *
 * @param asked a BCP 47 tag, or `auto` for the first of the browser's languages that there is
 * @example languageFor('de-AT').locale // 'de'
 */
export function languageFor(asked: string, browser: readonly string[] = browserLanguages()): Language {
  const wanted = asked === 'auto' ? browser : [asked]
  const locale = wanted.map(closest).find((found) => found !== undefined) ?? 'en'
  return { locale, direction: rightToLeft.includes(locale) ? 'rtl' : 'ltr', texts: buttonTexts[locale] }
}

/** A language is taken whatever its region; Chinese by its script, which the region tells where the tag does not. */
function closest(tag: string): Locale | undefined {
  const { language, script } = read(tag)
  const locale = language === 'zh' ? (script === 'Hant' ? 'zh-TW' : 'zh-CN') : language
  return isLocale(locale) && (locale === 'en' || locales[locale] !== undefined) ? locale : undefined
}

function read(tag: string): { language?: string; script?: string } {
  try {
    return new Intl.Locale(tag).maximize()
  } catch {
    return {}
  }
}

function isLocale(locale: string | undefined): locale is Locale {
  return locale !== undefined && Object.hasOwn(buttonTexts, locale)
}

function browserLanguages(): readonly string[] {
  return typeof navigator === 'undefined' ? [] : navigator.languages
}
