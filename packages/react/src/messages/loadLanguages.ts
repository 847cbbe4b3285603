/** Loads the other languages as far as buttons need them. A page in English never does. */
export function loadLanguages(): Promise<typeof import('./getLanguage.ts')> {
  return import('./getLanguage.ts')
}
