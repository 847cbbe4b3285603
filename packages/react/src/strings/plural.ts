/** The forms of a counted text, by the names that CLDR gives them; what a language lacks is `other`. */
export type PluralForms = { readonly [form in Intl.LDMLPluralRule]?: string } & { readonly other: string }

/**
 * The form of a text that a number takes in a language.
 *
 * @example plural('ru', 3, { one: 'кошелёк', few: 'кошелька', other: 'кошельков' }) // 'кошелька'
 */
export function plural(locale: string, count: number, forms: PluralForms): string {
  return forms[new Intl.PluralRules(locale).select(count)] ?? forms.other
}
