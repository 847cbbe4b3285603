import type { SendNote, SendStatus } from '@latchkey/core/money'
import type { Part } from '../part.tsx'
import { en } from './en.ts'

/** What is said where somebody pays somebody. */
export type SendTexts = {
  /** What the field of the amount is called. */
  amount: (symbol: string) => string
  amountInDollars: string
  /** Buttons that say what the amount is counted in from now on. */
  countInDollars: string
  countInTokens: (symbol: string) => string
  noPrice: string
  balance: string
  max: string
  /** What `max` does, for who only hears it. */
  maxOf: (symbol: string) => string
  selectToken: string
  otherToken: (symbol: string) => string
  to: string
  receiverHint: string
  paste: string
  pasteFailed: string
  clear: string
  resolving: string
  noName: (name: string, network: string) => string
  noAddress: (network: string) => string
  fee: string
  feeUnknown: string
  feeWaiting: string
  /** Beside the fee: what opening an account for the receiver locks. */
  deposit: string
  most: string
  network: string
  /** What the button says: what is missing, or what comes next. */
  next: { readonly [status in SendStatus]: string }
  /** What is to be known of the receiver. */
  notes: { readonly [note in Exclude<SendNote, 'similar'>]: string }
  similar: (known: string) => string
  /** Why the payment would not go through. */
  refused: (reason: string) => string
  unreachable: string
  unsupported: (network: string) => string
  none: string
  /** In the list of tokens. */
  search: string
  yours: string
  noTokens: string
  unknownToken: string
  /** Before it is sent. */
  careful: string
  cancel: string
  send: string
  approve: (wallet: string) => string
  uncertainHint: string
  /** How it went. */
  started: string
  declined: string
  uncertain: string
  incomplete: string
  unsupportedChain: string
  short: string
  failed: string
  tryAgain: string
  reverted: (reason: string) => string
  mined: (amount: string) => string
  replaced: string
  cancelled: string
  pending: string
  explorer: string
}

export const sendPart: Part<SendTexts> = {
  name: 'send',
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
