import type { PurchaseStanding } from '@latchkey/core/money'
import type { Part } from '../part.tsx'
import { en } from './en.ts'

/** What is said where somebody buys. */
export type BuyTexts = {
  none: string
  /** What the amount is counted in. */
  amountIn: (what: string) => string
  pay: string
  get: string
  /** An amount that may still change a little. */
  about: (what: string) => string
  asking: string
  /** The provider, by its name, has no price. */
  noQuote: (what: string) => string
  /** How the price is paid. */
  card: string
  bank: string
  soldBy: string
  /** A range of per cent. */
  fee: (what: string) => string
  feeFact: string
  networkFee: string
  enter: string
  invalid: string
  /** The least that may be paid, with its currency. */
  low: (what: string) => string
  high: (what: string) => string
  /** The way to the provider. */
  go: (what: string) => string
  /** The network, by its name, on which nobody sells. */
  unsupported: (what: string) => string
  offersFailed: string
  /** From which amount to which. */
  limitCard: (what: string) => string
  limitBank: (what: string) => string
  /** Headlines of a purchase under way, each with what to do. */
  opening: (what: string) => string
  openingHint: string
  there: (what: string) => string
  thereHint: string
  blocked: string
  blockedHint: string
  closed: string
  closedHint: string
  declined: string
  declinedHint: string
  paid: string
  paidHint: string
  /** How much arrived. */
  arrived: (what: string) => string
  arrivedHint: string
  ended: string
  endedHint: string
  notBegun: string
  notBegunHint: (what: string) => string
  overdue: string
  overdueHint: string
  unreachable: string
  open: (what: string) => string
  lookAgain: string
  again: string
  done: string
  empty: string
  emptyHint: string
  listFailed: string
  /** One word or two for each purchase of the list. */
  standing: { readonly [standing in PurchaseStanding]: string }
}

export const buyPart: Part<BuyTexts> = {
  name: 'buy',
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
