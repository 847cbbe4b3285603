import type { Load } from '../chunks.ts'
import type { Strings } from './strings.ts'

/** The languages beside English, each fetched when it is used. */
export const locales: { readonly [locale: string]: Load<{ strings: Strings }> | undefined } = {
  de: () => import('./de.ts'),
  es: () => import('./es.ts'),
  fr: () => import('./fr.ts'),
  it: () => import('./it.ts'),
  pt: () => import('./pt.ts'),
  tr: () => import('./tr.ts'),
  ru: () => import('./ru.ts'),
  ar: () => import('./ar.ts'),
  hi: () => import('./hi.ts'),
  id: () => import('./id.ts'),
  vi: () => import('./vi.ts'),
  'zh-CN': () => import('./zhCN.ts'),
  'zh-TW': () => import('./zhTW.ts'),
  ja: () => import('./ja.ts'),
  ko: () => import('./ko.ts'),
}
