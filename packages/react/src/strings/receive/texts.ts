import type { Part } from '../part.tsx'
import { en } from './en.ts'

/** What is said where somebody shows his address. */
export type ReceiveTexts = {
  /** What the code is, for who cannot see it. */
  qr: (network: string) => string
  /** What may be sent here. */
  only: (network: string) => string
  share: string
  /** The way to the networks that the address is good for. */
  works: (count: number) => string
  /** Above those networks. */
  hint: string
  /** No wallet is connected. */
  none: string
}

export const receivePart: Part<ReceiveTexts> = {
  name: 'receive',
  en,
  locales: {
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
  },
}
