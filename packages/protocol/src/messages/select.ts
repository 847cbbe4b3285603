/**
 * Picks the form of a text by a word (ICU `select`).
 *
 * @example select('female', { female: 'her wallet', other: 'their wallet' }) // 'her wallet'
 */
export function select(value: string, forms: { readonly other: string; readonly [form: string]: string }): string {
  return Object.hasOwn(forms, value) ? (forms[value] ?? forms.other) : forms.other
}
