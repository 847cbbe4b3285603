import type { SwapNotices } from '@latchkey/core/money'
import type { ErrorCode } from '@latchkey/protocol'
import type { Part } from '../part.tsx'
import { en } from './en.ts'

/** Why a swap does not go on, by what it is about. */
export type SwapFailure =
  | Extract<ErrorCode, `swap/${string}`>
  | 'request/rejected'
  | 'request/unknown'
  | 'transaction/pending'
  | 'http/unreachable'

/** What is said where one token is turned into another. */
export type SwapTexts = {
  /** Above what is given, and above what is wanted. */
  pay: string
  receive: string
  /** What the fields are called. */
  amount: (symbol: string) => string
  estimate: (symbol: string) => string
  balance: string
  max: string
  /** What `max` does, for who only hears it. */
  maxOf: (symbol: string) => string
  selectToken: string
  otherToken: (symbol: string) => string
  turn: string
  noPrice: string
  /** What is known of the swap. */
  rate: string
  minimum: string
  impact: string
  slippage: string
  fee: string
  route: string
  network: string
  exchange: string
  unknown: string
  waiting: string
  slippageField: string
  slippageBounds: (least: string, most: string) => string
  slippageHigh: (percent: string) => string
  impactHigh: (percent: string) => string
  /** What the button says: what is missing, or what comes next. */
  next: { 'select-token': string; 'enter-amount': string; 'incorrect-amount': string; ready: string }
  failures: { readonly [code in SwapFailure]: string }
  /** What a contract or the server said, in its own words. */
  reason: (reason: string) => string
  nobody: string
  unsupported: string
  unsupportedHint: (network: string) => string
  unsupportedNone: string
  /** In the list of tokens. */
  search: string
  yours: string
  suggested: string
  all: string
  noTokens: string
  /** Before it is sent. */
  preparing: string
  approveFirst: (amount: string) => string
  bothAtOnce: (amount: string) => string
  approve: (amount: string) => string
  both: string
  swap: string
  cancel: string
  confirmIn: (wallet: string) => string
  approving: string
  tryAgain: string
  /** How it goes on behind the modal. */
  notices: SwapNotices
}

export const swapPart: Part<SwapTexts> = {
  name: 'swap',
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
