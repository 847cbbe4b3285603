/** The languages beside English, as far as buttons need them; a page that speaks English never loads them. */
export function loadLanguages(): Promise<typeof import('./languages.ts')> {
  return import('./languages.ts')
}
