import type { FrameTexts } from './english.ts'

type Load = () => Promise<{ readonly texts: FrameTexts }>

/** The languages beside English, each fetched when it is used. */
export const locales = {
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
} satisfies { readonly [locale: string]: Load }

export type Locale = 'en' | keyof typeof locales
