/**
 * Picks the first of the requested languages that is available, whatever its region. Chinese is matched by its script,
 * which the region implies if the tag does not name it: `zh-HK` is `zh-TW`.
 *
 * @param requested BCP 47 tags, best first, for example `navigator.languages`
 * @param available BCP 47 tags
 * @returns one of `available`, or `en`
 * @example matchLocale(['de-AT', 'en'], ['en', 'de', 'zh-CN', 'zh-TW']) // 'de'
 */
export function matchLocale<locale extends string>(
  requested: readonly string[],
  available: readonly locale[],
): locale | 'en' {
  for (const tag of requested) {
    const found = available.find((locale) => locale === closestTag(tag))
    if (found !== undefined) return found
  }
  return 'en'
}

/**
 * Returns the direction that a language is written in.
 *
 * @param locale BCP 47 tag
 * @example textDirection('ar') // 'rtl'
 */
export function textDirection(locale: string): 'ltr' | 'rtl' {
  const { script } = parseLocale(locale)
  return script !== undefined && rightToLeftScripts.includes(script) ? 'rtl' : 'ltr'
}

const rightToLeftScripts = ['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm']

function closestTag(tag: string): string | undefined {
  const { language, script } = parseLocale(tag)
  if (language !== 'zh') return language
  return script === 'Hant' ? 'zh-TW' : 'zh-CN'
}

function parseLocale(tag: string): { language?: string; script?: string } {
  try {
    return new Intl.Locale(tag).maximize()
  } catch {
    return {}
  }
}
