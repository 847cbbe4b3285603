import type { Part } from '../part.tsx'
import { en } from './en.ts'

/** What is said where somebody chooses a name for his account. */
export type NamesTexts = {
  headline: string
  /** What a name is good for; `suffix` with its dot. */
  explain: (suffix: string) => string
  costs: string
  choose: string
  /** What is entered. */
  label: string
  rule: string
  short: string
  characters: string
  checking: string
  free: string
  taken: string
  /** The server does not answer whether a name is free. */
  unknown: string
  /** Above names to have instead. */
  suggestions: string
  available: string
  registered: string
  register: string
  /** Waiting for the wallet, and what to do when it shows nothing. */
  approve: (wallet: string) => string
  slow: (wallet: string) => string
  declined: (wallet: string) => string
  /** What came in between, each with what to do next. */
  late: string
  tooMany: string
  owned: (name: string) => string
  refused: string
  unsupported: string
  retry: string
  /** What the new name is good for. */
  yours: string
  done: string
}

export const namesPart: Part<NamesTexts> = {
  name: 'names',
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
