import type { AccountId, ChainId, SignInMessage, SignInSession } from '@latchkey/protocol'

/** The account and chain of a sign-in. */
export type SignInMessageRequest = { chainId: ChainId; accountAddress: string; notBefore?: string }

/** The message to sign. Without its own `toString`, it is formatted according to CAIP-122. */
export type SignInDraft = SignInMessage & { toString?(): string }

/**
 * The sign-in of an app (CAIP-122): it creates the messages and keeps the sessions. Latchkey provides `localSignIn` and
 * `serverSignIn`.
 */
export type SignIn = {
  createMessage(request: SignInMessageRequest): SignInDraft | Promise<SignInDraft>
  /** Requests the signature. Defaults to the account's wallet. */
  signMessage?(request: { message: string; chainId: ChainId; accountAddress: string }): Promise<string>
  /**
   * Verifies and stores a session.
   *
   * @throws any error if the session is invalid; the user is not signed in then
   */
  addSession(session: SignInSession): Promise<void>
  /** Replaces all sessions. An empty array signs every account out. */
  setSessions(sessions: readonly SignInSession[]): Promise<void>
  /** Returns the valid sessions of one account on one chain. */
  getSessions(chainId: ChainId, accountAddress: string): Promise<readonly SignInSession[]>
  revokeSession(chainId: ChainId, accountAddress: string): Promise<void>
  /** Returns false to let users stay connected without signing in. Defaults to true. */
  getRequired?(): boolean
  /** Set to false to keep sessions after a disconnect. Defaults to true. */
  signOutOnDisconnect?: boolean
  /** Set to true if `addSession` does not verify signatures. The page verifies them first. */
  verifiesInPage?: boolean
}

/** The sign-in state of the active account on its network. */
export type SignInState =
  /** No sign-in is needed: none is configured, no wallet is connected, or its network is unsupported. */
  | { status: 'off' }
  /** The session is being looked up. */
  | { status: 'looking'; account: AccountId; required: boolean }
  /** There is no session; `error` is the failure of the last attempt. */
  | { status: 'unsigned'; account: AccountId; required: boolean; error?: unknown }
  /** The wallet is asked for a signature; then the session is added to its store. */
  | { status: 'signing'; account: AccountId; required: boolean }
  | { status: 'signed'; account: AccountId; required: boolean; session: SignInSession }
