/** The plural category of a number in one language (CLDR). */
export type PluralRule = (count: number) => Intl.LDMLPluralRule

/** The texts of a counted message, by plural category or by exact number. */
export type PluralForms = { readonly other: string; readonly [form: string]: string }

/**
 * Creates the plural rule of a language.
 *
 * @param locale BCP 47 tag
 * @example pluralRule('ru')(3) // 'few'
 */
export function pluralRule(locale: string): PluralRule {
  let rules: Intl.PluralRules | undefined
  return (count) => (rules ??= new Intl.PluralRules(locale)).select(count)
}

/**
 * Picks the form of a text that a number takes. An exact number goes before a plural category.
 *
 * @param offset subtracted before the category is chosen (ICU `offset:`)
 * @example plural(3, 0, pluralRule('ru'), { one: 'кошелёк', few: 'кошелька', other: 'кошельков' }) // 'кошелька'
 */
export function plural(count: number, offset: number, rule: PluralRule, forms: PluralForms): string {
  return forms[count] ?? forms[rule(count - offset)] ?? forms.other
}
