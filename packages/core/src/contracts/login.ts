import type { EmailAction, LatchkeyError, UpdateEmailAction } from '@latchkey/protocol'

/** The errors of a login, which every implementation of `Login` throws. */
declare module '@latchkey/protocol' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface ErrorContexts {
    'embedded/cooldown': { seconds: number }
    'embedded/failed': { reason: string; localizedMessage?: string }
    'embedded/invalid-email': object
    'embedded/popup-closed': object
    'embedded/timeout': object
    'embedded/unreachable': { origin: string }
    'embedded/unsigned': { origin: string; reason: string }
  }
}

/** A provider that users can log in with. */
export type SocialProvider = 'google' | 'x' | 'discord' | 'farcaster' | 'github' | 'apple' | 'facebook'

/** The two kinds of account that one login may have on an eip155 network. */
export type LoginAccountType = 'eoa' | 'smartAccount'

/** The logged-in user, as far as the page may know. */
export type LoginUser = {
  readonly email?: string
  readonly userName?: string
  /** The provider of a social login. */
  readonly social?: SocialProvider
}

/** A request that only the user may approve. The wallet shows it in a frame of its own origin. */
export type LoginScreen = {
  /** The preferred height, in CSS pixels. */
  readonly height: number
}

export type LoginState = {
  readonly user: LoginUser | undefined
  /** Undefined where smart accounts are not offered. */
  readonly accountType: LoginAccountType | undefined
  /** The time from which a new mail may be sent, in milliseconds since the epoch; undefined if at once. */
  readonly mailAgainAt: number | undefined
  /** The screen that the wallet wants to show; undefined if it wants none. */
  readonly screen: LoginScreen | undefined
}

/** Events of a login outside its steps. */
export type LoginEvent =
  /** A page requested a method that embedded wallets never allow [R6.6]. */
  | { readonly type: 'not-allowed'; readonly method: string }
  /** The user approved a request, and it was carried out. */
  | { readonly type: 'approved'; readonly method: string }
  /** The frame did not let itself be loaded, or did not respond: this page may not be allowed to embed it [R8.1.1]. */
  | { readonly type: 'blocked' }

/** The appearance and language of the page, for the wallet's own screens. */
export type LoginAppearance = {
  readonly themeMode: 'light' | 'dark'
  /** A CSS colour. Defaults to the colour that the page sets around the screen. */
  readonly accent?: string
  /** BCP 47. */
  readonly language?: string
}

/**
 * The logins of an embedded wallet, by e-mail or social account. Nothing is loaded before you call a method. Each step
 * throws a LatchkeyError with a sentence for the user, and leaves the previous state unchanged. After the last step,
 * the connector's `connect` needs no further confirmation.
 */
export type Login = {
  readonly state: { get(): LoginState; subscribe(listener: (state: LoginState) => void): () => void }
  /** The social logins that the app configured. */
  readonly socials: readonly SocialProvider[]

  /**
   * Requests a one-time code by mail.
   *
   * @returns the next step, and for VERIFY_DEVICE the two confirmation digits of the mail's page
   * @throws LatchkeyError `embedded/cooldown` ('Please try again after N seconds') [R5.3.6], `embedded/invalid-email`,
   *   `embedded/unreachable`, `embedded/failed`, `embedded/timeout`
   */
  email(email: string): Promise<{ action: EmailAction; match?: string }>
  /** Waits until the user approves the link in the mail. Aborting stops waiting. Times out after 15 minutes. */
  device(signal: AbortSignal): Promise<void>
  /** @throws LatchkeyError `embedded/failed` with the service's message for a wrong or expired code */
  code(code: string): Promise<void>
  /**
   * Logs in with an identity provider. It opens a window at once, so call it in a click handler.
   *
   * @param onProgress receives 'blocked' if the browser opened no window (`open` opens it from another click), or `match`,
   * the two digits that the provider's last page asks for if its window can't reach the wallet's frame
   * @throws LatchkeyError `embedded/popup-closed`, `embedded/failed`, `embedded/timeout`, `connection/aborted`
   */
  social(
    provider: Exclude<SocialProvider, 'farcaster'>,
    options: {
      signal: AbortSignal
      onProgress?(news: { blocked: true; open(): void } | { waiting: true; match?: string }): void
    },
  ): Promise<void>
  /** Returns the link to open or scan in a Farcaster client. `done` settles when it is approved there. */
  farcaster(signal: AbortSignal): Promise<{ url: string; done: Promise<void> }>

  /** Changes the address. It takes a code of the current address, then one of the new address [R4.3.4]. */
  updateEmail(email: string): Promise<{ action: UpdateEmailAction }>
  updateEmailPrimary(code: string): Promise<void>
  updateEmailSecondary(code: string): Promise<{ newEmail: string }>

  /** Selects the kind of account. The accounts of the connection change with it. */
  setAccountType(type: LoginAccountType): Promise<void>
  /** Opens a screen of the wallet. `state.screen` reports when to show it. */
  openScreen(screen: 'recovery' | 'devices' | 'policy'): Promise<void>
  /** Opens the wallet's pages that must not be framed: export and deletion. */
  readonly pages: { readonly export: string; readonly account: string }

  /**
   * Places the wallet's screen over an element, and follows the element when it moves.
   *
   * @returns a function that removes the screen, unless it has been placed over another element since
   */
  place(element: HTMLElement): () => void
  /** Sets the appearance of the wallet's screens. Loads nothing. */
  setAppearance?(look: LoginAppearance): void
  /** Preloads the code of the login. */
  preload?(): void
  /** Rejects every request that waits for the user [R2.2.7]. */
  rejectAll(): void
  /** Subscribes to events. Returns a function that unsubscribes. */
  listen?(listener: (news: LoginEvent) => void): () => void
  /** The error from loading the frame, if any. */
  readonly problem: LatchkeyError | undefined
}
