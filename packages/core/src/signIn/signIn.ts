import type { AccountId, ChainId, SignInMessage, SignInSession } from '@latchkey/protocol'

/** For whom and where a sign-in is made. */
export type SignInAsk = { chainId: ChainId; accountAddress: string; notBefore?: string }

/** What is to be signed, and in which words: in those of CAIP-122 without a `toString` of its own. */
export type SignInDraft = SignInMessage & { toString?(): string }

/**
 * How an app signs its visitors in (CAIP-122): who makes the message, and who keeps the sessions. Ready-made are
 * `localSignIn` and `serverSignIn`.
 */
export type SignIn = {
  createMessage(ask: SignInAsk): SignInDraft | Promise<SignInDraft>
  /** Asks for the signature in a way of the app's own; the account's wallet is asked when left out. */
  signMessage?(ask: { message: string; chainId: ChainId; accountAddress: string }): Promise<string>
  /**
   * Checks and keeps a session.
   *
   * @throws anything when it does not count: nobody is signed in then.
   */
  addSession(session: SignInSession): Promise<void>
  /** Keeps these sessions in place of all others; none signs everybody out. */
  setSessions(sessions: readonly SignInSession[]): Promise<void>
  /** The sessions of one account on one chain that count now. */
  getSessions(chainId: ChainId, accountAddress: string): Promise<readonly SignInSession[]>
  revokeSession(chainId: ChainId, accountAddress: string): Promise<void>
  /** Whether nobody stays connected without signing in; true when left out. */
  getRequired?(): boolean
  /** Whether sessions end with the connection; true when left out. */
  signOutOnDisconnect?: boolean
  /** Set where `addSession` does not check signatures itself: they are checked in the page before. */
  checksNothing?: boolean
}

/** Where signing in stands, for the account and the network that are active. */
export type SignInState =
  /** Nobody is to sign in: no sign-in is configured, no wallet connected, or its network is not one of the app. */
  | { status: 'off' }
  /** Whether there is a session is being asked. */
  | { status: 'looking'; account: AccountId; required: boolean }
  /** There is none; `error` is what came of the last try. */
  | { status: 'unsigned'; account: AccountId; required: boolean; error?: unknown }
  /** The wallet is asked, and then whoever keeps the sessions. */
  | { status: 'signing'; account: AccountId; required: boolean }
  | { status: 'signed'; account: AccountId; required: boolean; session: SignInSession }
