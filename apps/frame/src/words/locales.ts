import type { FrameTexts } from './english.ts'

export type Locale =
  'en' | 'de' | 'es' | 'fr' | 'it' | 'pt' | 'tr' | 'ru' | 'ar' | 'hi' | 'id' | 'vi' | 'zh-CN' | 'zh-TW' | 'ja' | 'ko'

/** The languages beside English, each fetched when it is used. */
export const locales: { readonly [locale in Locale]?: () => Promise<{ texts: FrameTexts }> } = {}
