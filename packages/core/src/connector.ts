import type {
  AccountId,
  ChainId,
  LatchkeyError,
  Namespace,
  Network,
  SignInRequest,
  SignInSession,
} from '@latchkey/protocol'
import type { Login } from './login.ts'

/** How a wallet is reached. */
export type ConnectorType = 'injected' | 'walletConnect' | 'external' | 'embedded'

/** A wallet's JSON-RPC face for one namespace (EIP-1193 in eip155, the CAIP-25 methods elsewhere). */
export type Provider = {
  /**
   * Asks the wallet.
   *
   * @throws LatchkeyError `request/rejected`, `request/failed`, `request/expired`, `request/unknown` or `wallet/unavailable`.
   */
  request(args: { method: string; params?: unknown }): Promise<unknown>
}

/** Why a namespace has no wallet any more, as far as anybody knows. */
export type EndReason =
  /** The wallet is there, and locked. */
  | 'locked'
  /** The wallet is not in this browser any more. */
  | 'uninstalled'
  /** The wallet did not answer in time. */
  | 'slow'
  /** No account is shared any more: removed in the wallet, or its permission taken back. */
  | 'account-removed'
  /** The session was over by itself. */
  | 'expired'
  /** The wallet ended it, or failed, and does not say why. */
  | 'wallet'
  | 'visitor'
  | 'other-tab'

/** What a live connection tells. Each is called with the whole new value. */
export type ConnectionListener = {
  /** At least one account; the first is the selected one. */
  accountsChanged(accounts: readonly [AccountId, ...AccountId[]]): void
  chainChanged(chainId: ChainId): void
  /** The wallet left by itself: locked, revoked, session deleted or expired. A reason is given where it is known. */
  disconnected(reason?: EndReason): void
}

/** What kind of account an address is: the preferred kind of each namespace is an option of the app. */
export type AccountType = 'eoa' | 'smartAccount' | 'payment' | 'ordinals'

/** What a wallet says of an account besides its address. */
export type AccountDetails = {
  readonly type?: AccountType
  /** As the family writes public keys: hex in bip122 and polkadot. */
  readonly publicKey?: string
  /** A BIP-32 path. */
  readonly path?: string
  /** The name that its owner gave it. */
  readonly label?: string
}

/** A wallet's consent for one namespace: who, on which chain, and how to ask for more. */
export type Connection = {
  readonly namespace: Namespace
  /** The first is the selected one. */
  readonly accounts: readonly [AccountId, ...AccountId[]]
  readonly chainId: ChainId
  /** The chains the wallet approved; `'all'` when it can switch to any. */
  readonly approvedChains: readonly ChainId[] | 'all'
  readonly provider: Provider
  /** What the wallet says of one of its accounts, found by its address; undefined when it says nothing. */
  details?(account: AccountId): AccountDetails | undefined
  /**
   * Goes to another chain, for families that have no request for it; listeners hear of it. Absent where there is such a
   * request, or where the wallet cannot.
   *
   * @returns false when the wallet has not approved that chain.
   */
  switchTo?(chainId: ChainId): boolean | Promise<boolean>
  /**
   * Asks the visitor, in the wallet's own dialog, which accounts the page may see; listeners hear of another choice.
   * Absent where wallets have no such dialog.
   *
   * @throws LatchkeyError `request/not-allowed` when this wallet has none, `request/rejected`.
   */
  chooseAccounts?(): Promise<void>
  /** What the wallet calls itself, for sentences and the account view. */
  readonly wallet: { readonly name: string; readonly icon?: string }
  /** Follows the wallet; returns what stops it. */
  listen(listener: ConnectionListener): () => void
}

export type ConnectRequest = {
  /** The networks that the app offers, of the connector's namespaces only. The first is preferred. */
  networks: readonly Network[]
  /** Aborting gives up waiting; the connector then rejects with `connection/aborted`. */
  signal: AbortSignal
  /** Receives a pairing URI to show as QR code or link, again each time it is renewed. */
  onUri?(uri: string): void
  /** Offers to sign in with the same consent (one-click sign-in), for connectors that can carry it. */
  signIn?: OneClickSignIn
}

/** A sign-in that travels with the request for consent; a wallet that does not know it connects without. */
export type OneClickSignIn = {
  /** What is to be signed, but for the account: the wallet chooses that. */
  readonly message: SignInRequest
  /** Receives each message that the wallet signed, checked by the connector, before `connect` answers. */
  signed(session: SignInSession): void
}

/** Whether the road to a wallet is open, for roads that can close by themselves: a relay's socket. */
export type Reach = { state: 'idle' | 'reaching' | 'ready' } | { state: 'unreachable'; error: LatchkeyError }

/**
 * A way to one wallet. Made by an adapter's discovery (extensions) or by the app (`walletConnect(…)`).
 * Every implementation passes `describeConnector` of `@latchkey/core/testing`.
 */
export type Connector = {
  /** Stable over reloads: the `rdns` of an extension, `walletConnect`, … */
  readonly id: string
  readonly name: string
  readonly type: ConnectorType
  /** A data URI, or nothing. */
  readonly icon?: string
  /** Reverse-DNS name (EIP-6963). */
  readonly rdns?: string
  readonly namespaces: readonly Namespace[]
  /** Told truthfully, and mended by the connector itself: nobody has to connect again for it. */
  readonly reach?: { get(): Reach; subscribe(listener: (reach: Reach) => void): () => void }
  /**
   * Asks the visitor's wallet for consent.
   *
   * @returns one connection per namespace that the wallet granted.
   * @throws LatchkeyError `connection/rejected`, `connection/aborted`, `wallet/unavailable`, `wallet/invalid-answer`, `relay/unreachable`, …
   */
  connect(request: ConnectRequest): Promise<readonly [Connection, ...Connection[]]>
  /**
   * Takes up an earlier consent without asking anybody.
   *
   * @returns the connections that still stand; none when the wallet forgot us.
   * @throws LatchkeyError `wallet/locked` where the wallet says so; anything else when it does not say. What is
   *   remembered then stays.
   */
  restore(request: Omit<ConnectRequest, 'onUri'>): Promise<readonly Connection[]>
  /**
   * Takes up what an earlier page asked for and its visitor may still approve: phones throw a page away while its visitor
   * is in his wallet. Undefined at once where nothing is left of such a page.
   *
   * @returns what the wallet granted in the end; nothing when it did not
   */
  resume?(request: Pick<ConnectRequest, 'networks'>): Promise<readonly Connection[]> | undefined
  /** Ends the consent where the wallet lets us, and tells the other side. */
  disconnect(): Promise<void>
  /** Starts a login afresh that was left halfway, for connectors that draw one. */
  reload?(): void
  /** Logins that come before `connect`, for wallets that have such things instead of an extension or a telephone. */
  readonly login?: Login
}
