import type { Purpose } from '@latchkey/core/money'
import type { OperationType } from '@latchkey/protocol'
import type { Part } from '../part.tsx'
import { en } from './en.ts'

/** What is said of what an account holds and did. */
export type HoldingsTexts = {
  /** Names the tabs. */
  tabs: string
  /** What all tokens with a known price are worth. */
  worth: string
  priceUnknown: string
  nfts: string
  nftsWaiting: string
  nftsFailed: string
  noNfts: string
  /** An NFT without a name, by its number. */
  numbered: (id: string) => string
  /** NFTs that came unasked, and how many. */
  showHidden: (count: number) => string
  hideAgain: string
  hiddenHint: string
  activityWaiting: string
  activityFailed: string
  activityFailedHint: string
  noActivity: string
  /** Spoken while more of a list is on its way. */
  more: string
  /** Above the transactions that are on their way, and how many. */
  pending: (count: number) => string
  /** A transaction that was looked for long enough. */
  notSeen: string
  waiting: string
  failed: string
  /** What is on its way, by what it is for. */
  purposes: { [kind in Purpose['kind']]: string }
  /** What happened. */
  operations: { [operation in OperationType]: string }
  to: (who: string) => string
  from: (who: string) => string
  /** A token that has no symbol, and an NFT that has no name. */
  someToken: string
  someNft: string
  /** How long ago something was. */
  ages: { [unit in AgeUnit]: (count: number) => string }
}

/** In which units an age is told [R9.5.4]. */
export type AgeUnit = 'sec' | 'min' | 'hr' | 'd' | 'mo' | 'yr'

export const holdingsPart: Part<HoldingsTexts> = {
  name: 'holdings',
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
