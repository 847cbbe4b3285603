import { english, type FrameTexts } from './english.ts'
import { locales, type Locale } from './locales.ts'

/** The texts in one language, and how it is written. */
export type Words = FrameTexts & { readonly locale: Locale; readonly direction: 'ltr' | 'rtl' }

/** What speaks until another language was fetched, and where it cannot be. */
export const englishWords: Words = { ...english, locale: 'en', direction: 'ltr' }

const rightToLeft: readonly Locale[] = ['ar']

/**
 * Fetches the texts in the first of the languages that there is.
 *
 * @param asked BCP 47 tags, best first: what the page said, then `navigator.languages`
 * @returns English where none is known, or it cannot be fetched
 * @example const words = await loadWords(['de-AT', 'en']) // words.consent.allow === 'Verbinden'
 */
export async function loadWords(asked: readonly string[]): Promise<Words> {
  const locale = asked.map(closest).find((found) => found !== undefined) ?? 'en'
  if (locale === 'en') return englishWords
  try {
    const { texts } = await locales[locale]()
    return { ...texts, locale, direction: rightToLeft.includes(locale) ? 'rtl' : 'ltr' }
  } catch {
    return englishWords
  }
}

/** A language is taken whatever its region; Chinese by its script, which the region tells where the tag does not. */
function closest(tag: string): Locale | undefined {
  const { language, script } = read(tag)
  const locale = language === 'zh' ? (script === 'Hant' ? 'zh-TW' : 'zh-CN') : language
  return isLocale(locale) ? locale : undefined
}

function read(tag: string): { language?: string; script?: string } {
  try {
    return new Intl.Locale(tag).maximize()
  } catch {
    return {}
  }
}

function isLocale(locale: string | undefined): locale is Locale {
  return locale === 'en' || (locale !== undefined && Object.hasOwn(locales, locale))
}
