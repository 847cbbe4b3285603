import type { EmailAction, LatchkeyError, UpdateEmailAction } from '@latchkey/protocol'
import type { SocialProvider } from './options.ts'

/** The two kinds of account that one login may have on an eip155 network. */
export type LoginAccountType = 'eoa' | 'smartAccount'

/** Who is logged in, as far as the page may know. */
export type LoginUser = {
  readonly email?: string
  readonly userName?: string
  /** By which of the social logins, where it was one. */
  readonly social?: SocialProvider
}

/** Something that only the visitor may answer, drawn by the wallet itself in a frame of its own origin. */
export type LoginScreen = {
  /** How high it would like to be, in CSS pixels. */
  readonly height: number
}

export type LoginState = {
  readonly user: LoginUser | undefined
  /** Undefined where smart accounts are not offered. */
  readonly accountType: LoginAccountType | undefined
  /** When an address may be mailed again, in milliseconds since the epoch; undefined when at once. */
  readonly mailAgainAt: number | undefined
  /** What the wallet wants to be seen for; undefined when nothing. */
  readonly screen: LoginScreen | undefined
}

/** What happens beside the steps of a login, for the modal to tell. */
export type LoginNews =
  /** A page asked for a method that no wallet of this kind allows [R6.6]. */
  | { readonly type: 'not-allowed'; readonly method: string }
  /** The visitor approved a request, and it was carried out. */
  | { readonly type: 'approved'; readonly method: string }
  /** The frame did not let itself be loaded, or did not answer: this page may not be allowed to embed it [R8.1.1]. */
  | { readonly type: 'blocked' }

/** How what is around the wallet's own screens looks and speaks, for them to follow. */
export type LoginLook = {
  readonly themeMode: 'light' | 'dark'
  /** A plain colour; what the page sets where the screen is placed when left out. */
  readonly accent?: string
  /** BCP 47. */
  readonly language?: string
}

/**
 * Logins of a wallet that lives behind an e-mail address or a social account. Nothing is loaded and nobody is asked
 * before one of the verbs is called. Each step throws a LatchkeyError with a sentence for the visitor, and leaves what was
 * before it as it was. After the last one the connector's `connect` answers without asking anybody.
 */
export type Login = {
  readonly state: { get(): LoginState; subscribe(listener: (state: LoginState) => void): () => void }
  /** Which of the social logins this deployment has. Known without asking: the app says so. */
  readonly socials: readonly SocialProvider[]

  /**
   * Asks for a code by mail.
   *
   * @returns what comes next, and for VERIFY_DEVICE the two digits to compare with those of the mail's page
   * @throws LatchkeyError `embedded/cooldown` ('Please try again after N seconds') [R5.3.6], `embedded/invalid-email`,
   *   `embedded/unreachable`, `embedded/failed`, `embedded/timeout`
   */
  email(email: string): Promise<{ action: EmailAction; match?: string }>
  /** Waits until the link in the mail was approved; aborting stops waiting. Ends by itself after 15 minutes. */
  device(signal: AbortSignal): Promise<void>
  /** @throws LatchkeyError `embedded/failed` with the service's sentence for a wrong or an old code */
  code(code: string): Promise<void>
  /**
   * Logs in by a provider's own window. To be called in the handler of a click: it opens the window at once.
   *
   * @param told 'blocked': the browser opened no window, `open` opens it from another click; `match`: two digits that
   *   the provider's last page asks for where its window is in another network than this page
   * @throws LatchkeyError `embedded/popup-closed`, `embedded/failed`, `embedded/timeout`, `connection/aborted`
   */
  social(
    provider: Exclude<SocialProvider, 'farcaster'>,
    options: {
      signal: AbortSignal
      told?(news: { blocked: true; open(): void } | { waiting: true; match?: string }): void
    },
  ): Promise<void>
  /** The link to open or scan in a Farcaster client; `done` is settled when it was approved there. */
  farcaster(signal: AbortSignal): Promise<{ url: string; done: Promise<void> }>

  /** Changes the address: first a code of the one in use, then one of the new one [R4.3.4]. */
  updateEmail(email: string): Promise<{ action: UpdateEmailAction }>
  updateEmailPrimary(code: string): Promise<void>
  updateEmailSecondary(code: string): Promise<{ newEmail: string }>

  /** Chooses between the two kinds of account; accounts of the connection change with it. */
  setAccountType(type: LoginAccountType): Promise<void>
  /** Opens one of the wallet's own screens: `state.screen` tells when it wants to be seen. */
  openScreen(screen: 'recovery' | 'devices'): Promise<void>
  /** Where the wallet's own pages are that must not be framed: export, deletion. */
  readonly pages: { readonly export: string; readonly account: string }

  /**
   * Puts the wallet's screen over an element, follows it while it moves, and takes it away again.
   *
   * @returns what takes it away
   */
  place(element: HTMLElement): () => void
  /** Tells the wallet how its own screens should look from now on. Nothing is loaded for it. */
  look?(look: LoginLook): void
  /** A login is about to begin: what it needs may be fetched. */
  warm?(): void
  /** Rejects everything that waits for the visitor [R2.2.7]. */
  rejectAll(): void
  /** Calls back with what happens besides; returns what ends that. */
  listen?(listener: (news: LoginNews) => void): () => void
  /** What went wrong with loading the frame, if anything. */
  readonly problem: LatchkeyError | undefined
}
