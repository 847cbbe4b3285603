import type { Part } from '../part.tsx'
import { en } from './en.ts'

/** What is said where somebody logs in by e-mail or by a social account, and looks after that login. */
export type LoginTexts = {
  /** What is entered, and an example of it. */
  email: string
  placeholder: string
  /** What such a login is. */
  emailHint: string
  next: string
  sending: string
  invalid: string
  /** Asks whether a typing error is to be mended; gets the address. */
  meant: (email: string) => string
  cooldown: (seconds: number) => string
  continueWith: (provider: string) => string
  /** The way to all social logins. */
  more: string
  already: string
  toAccount: string

  /** The link in the mail; each gets the address, which may stand anywhere. */
  linkSentTo: (email: string) => string
  codeSentTo: (email: string) => string
  /** Above the two digits that the page of the link asks for. */
  matchHint: string
  deviceWaiting: string
  /** Nothing was approved for some seconds. */
  mailSlow: string
  deviceFailed: string
  /** Beside the way to another mail. */
  missing: string
  linkAgain: string
  codeAgain: string
  againIn: (seconds: number) => string
  linkResent: string
  codeResent: string

  code: string
  codeHint: string
  checking: string
  confirm: string
  wrong: string
  startOver: string

  opening: string
  openingHint: string
  openFailed: string
  tryAgain: string

  logInWith: (provider: string) => string
  windowHint: (provider: string) => string
  inWindow: string
  /** Digits are those that the provider's last page asks for where it is in another network than this one. */
  windowMatch(digits: string): string
  windowSlow: string
  windowBlocked: string
  windowBlockedHint: string
  windowClosed: string
  openWindow: string
  openWindowAgain: string
  socialFailed: (provider: string) => string
  otherWay: string

  farcasterScan: string
  farcasterCode: string
  farcasterSlow: string
  farcasterOpenHint: string
  newFarcaster: string

  /** What happened and what to do next. `closed`: the provider's window was. */
  closed: string
  timeout: string
  unreachable: string
  declined: string
  failed: string

  /** Changing the address. */
  editHint: string
  newEmail: string
  cancel: string
  save: string
  emailChanged: string

  /** Looking after the login and its keys. */
  socialAccount: (provider: string) => string
  security: string
  recovery: string
  recoveryHint: string
  devices: string
  devicesHint: string
  export: string
  exportHint: string
  remove: string
  removeHint: string
  newTab: string
  /** Who has the keys, in two sentences, and the way to more. */
  custody: string
  custodyMore: string
  /** Switching between the two kinds of account. */
  kind: string
  kinds: { eoa: string; smartAccount: string }
  switchTo: { eoa: string; smartAccount: string }
  switchHint: string
  /** What a smart account may not be good for [R8.2.9]. */
  smartWarning: string
  switch: string
  switched: string
}

export const loginPart: Part<LoginTexts> = {
  name: 'login',
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
