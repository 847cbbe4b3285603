import type { AlertCode, SaidByModal } from '@latchkey/core'
import type { ErrorCode } from '@latchkey/protocol'
import type { ButtonTexts } from './buttons.ts'
import type { PartStrings } from './parts.ts'

/** Everything the modal says, by the part that says it. A language is one value of this type. */
export type Strings = ButtonTexts & {
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
    /** The button that explains wallets. */
    help: string
    /** Behind this button are the wallets, where there are other ways in. */
    withWallet: string
    /** Between two groups of ways in. */
    or: string
    /** For who has no wallet, and the link beside it. */
    noWallet: string
    getWallet: string
  }
  /**
   * What a visitor agrees to. `<terms>` and `<privacy>` stand around the words that are links; where an app has only one
   * of the documents, the sentence with that one is used.
   */
  legal: {
    box: { both: string; terms: string; privacy: string }
    footer: { both: string; terms: string; privacy: string }
    /** What to do before anything else can be chosen, spoken with each inert list. */
    first: string
  }
  /** Which chain to use a wallet of several chains on. */
  multiChain: {
    title: string
    ask: (wallet: string) => string
    askHint: string
    all: string
    allHint: string
  }
  getWallet: {
    title: string
    ask: string
    /** No wallet is listed. */
    none: string
    failed: string
    retry: string
    all: string
    whatIs: string
  }
  downloads: {
    title: (wallet: string) => string
    where: string
    hint: (wallet: string) => string
    browser: string
    ios: string
    android: string
    website: string
    /** What is spoken with each link. */
    newTab: string
    none: (wallet: string) => string
  }
  whatIsAWallet: {
    title: string
    cards: readonly [Card, Card, Card]
    getWallet: string
  }
  whatIsANetwork: {
    title: string
    cards: readonly [Card, Card]
    back: string
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
    /** An earlier request waits in the wallet, so that it takes no other. */
    askingTitle: (wallet: string) => string
    askingHint: string
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
    openAgain: (wallet: string) => string
    /** What happens when the wallet is opened, by where it is. */
    openHints: { mobile: string; webapp: string; desktop: string }
    openAnyWallet: string
    waiting: string
    slow: (wallet: string) => string
    /** The visitor was in the wallet and is back. */
    returned: (wallet: string) => string
    /** The page is drawn inside another app, which may keep it from opening wallets. */
    inApp: string
    /** The wallet is not on this device, and where it can be got. */
    notInstalled: (wallet: string) => string
    get: string
    getWallet: (wallet: string) => string
    missingTitle: (wallet: string) => string
    missingHint: string
    scanInstead: string
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
    settings: string
    /** The way to all connected wallets. */
    wallets: string
  }
  accountSettings: {
    title: string
    /** The accounts that a wallet shares with the app. */
    accounts: (wallet: string) => string
    /** Which kind of account to use, where a wallet has several. */
    kind: string
    kinds: { eoa: string; smartAccount: string; payment: string; ordinals: string }
    inUse: string
    accountSwitched: string
    signedIn: string
    signOut: string
    signedOut: string
  }
  profileWallets: {
    title: string
    /** Names the tabs, one per chain family. */
    families: string
    others: string
    recent: string
    /** How many accounts a wallet shares. */
    accounts: (count: number) => string
    settings: (wallet: string) => string
    /** What stands on a row's button, and its whole name. */
    switch: string
    switchTo: (wallet: string) => string
    switched: string
    connect: string
    disconnect: (wallet: string) => string
    disconnected: (wallet: string) => string
    disconnectAll: string
    add: string
    none: string
    noneHint: (family: string) => string
  }
  /** Going to another chain family. */
  switchActiveChain: {
    title: string
    headline: (family: string) => string
    /** Somebody is connected there already. */
    ready: (wallet: string, family: string) => string
    /** Nobody is connected there yet; undefined stands for no wallet at all. */
    connectFirst: (wallet: string | undefined, family: string) => string
    switch: string
    connect: string
  }
  /** Signing in with the connected wallet. */
  signIn: {
    title: string
    /** Gets the site that asks. */
    ask: (site: string) => string
    explain: (wallet: string) => string
    /** What happens to who does not sign. */
    required: string
    optional: string
    sign: string
    signing: string
    cancel: string
    approve: (wallet: string) => string
    slow: (wallet: string) => string
    declinedHint: (wallet: string) => string
    /** Why a site may not have accepted the signature of a smart account [R8.2.9]. */
    smartRefused: string
    failedTitle: string
    signed: string
    done: string
    connectFirst: string
    connect: string
  } & { [notice in SaidByModal]: string }
  networks: {
    title: string
    search: string
    current: string
    /** The way to the explanation. */
    what: string
    /** The wallet did not approve it. */
    unsupported: string
    nothing: (search: string) => string
    approve: (wallet: string) => string
    slow: (wallet: string) => string
  }
  /** What stands above the views that move money, and on the ways to them. */
  money: {
    send: string
    sendToken: string
    sendPreview: string
    receive: string
    compatible: string
    swap: string
    swapToken: string
    swapPreview: string
    buy: string
    buyToken: string
    buyCurrency: string
    buying: string
    bought: string
    name: string
    registerName: string
    named: string
    activity: string
  }
  /** What stands above the views of logging in, and of the wallet behind it. */
  logins: {
    email: string
    device: string
    code: string
    socials: string
    update: string
    updatePrimary: string
    updateSecondary: string
    approve: string
  }
  unsupported: {
    title: string
    explain: (wallet: string, network: string) => string
    change: string
    /** The wallet has none of the app's networks. */
    none: (wallet: string) => string
  }
}

/** A picture with a heading and a sentence. */
type Card = { title: string; text: string }

/** Replaces single texts of the language in use. */
export type StringOverrides = { readonly [group in keyof Strings]?: Partial<Strings[group]> } & {
  readonly [part in keyof PartStrings]?: Partial<PartStrings[part]>
}
