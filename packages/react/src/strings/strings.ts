import type { AlertCode } from '@latchkey/core'
import type { ErrorCode } from '@latchkey/protocol'
import type { ButtonStrings } from './button.ts'

/** Everything the modal says, by the part that says it. A language is one value of this type. */
export type Strings = {
  button: ButtonStrings
  /** The frame around every view. */
  modal: {
    back: string
    close: string
    /** An address as it is spoken; gets it letter by letter. */
    spokenAddress: (letters: string) => string
    loadFailed: string
    retry: string
    dismiss: string
  }
  /** Title and way on of each fault of the app or its surroundings. */
  alerts: { [code in AlertCode]: { title: string; wayOn: string } }
  /** What happened, and the next step, for the failures that a visitor can meet; `other` is for all the rest. */
  errors: { [code in ErrorCode]?: string } & { other: string }
  connect: {
    title: string
    qrCode: string
    recent: string
    lastUsed: string
    installed: string
    allWallets: string
    /** No wallet in this browser, but a phone can be used. */
    noneButPhone: string
    none: string
    listFailed: string
    retry: string
  }
  allWallets: {
    title: string
    search: string
    /** How many were found, spoken. */
    results: (count: number) => string
    nothing: (search: string) => string
    clear: string
    waiting: string
    failed: string
    retry: string
    empty: string
    scan: string
  }
  /** Waiting for a wallet in this browser. */
  connecting: {
    title: string
    approve: (wallet: string) => string
    approveHint: string
    slow: (wallet: string) => string
    declined: string
    declinedHint: (wallet: string) => string
    goneTitle: (wallet: string) => string
    goneHint: string
    failedTitle: string
    missingTitle: string
    tryAgain: string
    otherWallet: string
  }
  /** Waiting for a wallet on a phone or in another window. */
  pairing: {
    title: string
    /** Undefined stands for any wallet. */
    scan: (wallet: string | undefined) => string
    qrLabel: (wallet: string | undefined) => string
    preparing: string
    copyLink: string
    copied: string
    copyFailed: string
    open: (wallet: string) => string
    openTitle: (wallet: string) => string
    openHint: string
    openAnyWallet: string
    waiting: string
    slow: (wallet: string) => string
    tabs: string
    platforms: { mobile: string; browser: string; webapp: string; desktop: string }
    connectHere: (wallet: string) => string
    browserHint: (wallet: string) => string
    failedTitle: string
    declinedTitle: string
    reaching: string
    newLink: string
  }
  account: {
    title: string
    copyAddress: string
    copied: string
    copyFailed: string
    fullAddress: string
    balance: string
    balanceWaiting: string
    balanceFailed: string
    network: string
    tokens: string
    tokensWaiting: string
    noTokens: string
    tokensFailed: string
    tokensFailedHint: string
    retry: string
    retryIn: (seconds: number) => string
    explorer: string
    disconnect: string
    disconnecting: string
    reconnecting: string
  }
  networks: {
    title: string
    search: string
    current: string
    /** The wallet did not approve it. */
    unsupported: string
    nothing: (search: string) => string
    approve: (wallet: string) => string
    slow: (wallet: string) => string
  }
  unsupported: {
    title: string
    explain: (wallet: string, network: string) => string
  }
}

/** Replaces single texts of the language in use. */
export type StringOverrides = { readonly [group in keyof Strings]?: Partial<Strings[group]> }
