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

/** The transport to a wallet. */
export type ConnectorType = 'injected' | 'walletConnect' | 'external' | 'embedded'

/** The events of EIP-1193 and their payloads. */
export type ProviderEvents = {
  /** The addresses that the wallet shares, the selected one first. */
  accountsChanged: readonly string[]
  /** The chain id as a hexadecimal number. */
  chainChanged: string
  connect: { readonly chainId: string }
  /** The connection ended, in the wallet or in the app. The code is 4900. */
  disconnect: Error & { readonly code: number }
}

/** The JSON-RPC interface of a wallet for one namespace (EIP-1193 in eip155, CAIP-25 methods elsewhere). */
export type Provider = {
  /**
   * Sends a request to the wallet.
   *
   * @throws in eip155 an error with a number of EIP-1193 as `code` (4001, 4100, 4900, 4902, …) and the code of Latchkey
   * as `data.code`; in the other namespaces LatchkeyError `request/rejected`, `request/failed`, `request/expired`,
   * `request/unknown` or `wallet/unavailable`
   */
  request(args: { method: string; params?: unknown }): Promise<unknown>
  /** Subscribes to an event. Present in eip155. */
  on?<name extends keyof ProviderEvents>(name: name, listener: (payload: ProviderEvents[name]) => void): void
  /** Unsubscribes from an event. Present in eip155. */
  removeListener?<name extends keyof ProviderEvents>(
    name: name,
    listener: (payload: ProviderEvents[name]) => void,
  ): void
}

/** The reason that a connection ended, if known. */
export type EndReason =
  /** The wallet is there, and locked. */
  | 'locked'
  /** The wallet is no longer in this browser. */
  | 'uninstalled'
  /** The wallet did not respond in time. */
  | 'slow'
  /** The wallet no longer shares an account: it was removed, or its permission was revoked. */
  | 'account-removed'
  /** The session was over by itself. */
  | 'expired'
  /** The wallet ended it, or failed, and does not say why. */
  | 'wallet'
  | 'user'
  | 'other-tab'

/** The events of a live connection. Each callback receives the whole new value. */
export type ConnectionListener = {
  /** At least one account; the first is the selected one. */
  accountsChanged(accounts: readonly [AccountId, ...AccountId[]]): void
  chainChanged(chainId: ChainId): void
  /** The wallet ended the connection: locked, revoked, session deleted or expired. Has a reason if it is known. */
  disconnected(reason?: EndReason): void
}

/** The kind of an account. The preferred kind of each namespace is an option of the app. */
export type AccountType = 'eoa' | 'smartAccount' | 'payment' | 'ordinals'

/** Details that a wallet reports about an account. */
export type AccountDetails = {
  readonly type?: AccountType
  /** The public key in the encoding of the namespace: hex in bip122 and polkadot. */
  readonly publicKey?: string
  /** A BIP-32 path. */
  readonly path?: string
  /** The name that the user gave the account. */
  readonly label?: string
}

/** A wallet's approval for one namespace: the accounts, the chain, and the provider for requests. */
export type Connection = {
  readonly namespace: Namespace
  /** The first is the selected one. */
  readonly accounts: readonly [AccountId, ...AccountId[]]
  readonly chainId: ChainId
  /** The chains that the wallet approved, or `'all'` if it can switch to any. */
  readonly approvedChains: readonly ChainId[] | 'all'
  readonly provider: Provider
  /** The methods that the wallet approved, in namespaces and transports whose wallets report them. */
  readonly methods?: readonly string[]
  /** Returns the details of an account by its address, or undefined if the wallet reports none. */
  details?(account: AccountId): AccountDetails | undefined
  /**
   * Switches to another chain, in namespaces without a request for it. Listeners are notified. Absent if there is such
   * a request or the wallet can't switch.
   *
   * @returns false if the wallet did not approve the chain
   */
  switchTo?(chainId: ChainId): boolean | Promise<boolean>
  /**
   * Opens the wallet's dialog in which the user selects the accounts to share. Listeners are notified of changes.
   * Absent if wallets have no such dialog.
   *
   * @throws LatchkeyError `request/not-allowed` if this wallet has no such dialog, `request/rejected`
   */
  chooseAccounts?(): Promise<void>
  /** The name and icon that the wallet reports. */
  readonly wallet: { readonly name: string; readonly icon?: string }
  /** Subscribes to the events of the wallet. Returns a function that unsubscribes. */
  listen(listener: ConnectionListener): () => void
}

export type ConnectRequest = {
  /** The networks that the app offers, of the connector's namespaces only. The first is preferred. */
  networks: readonly Network[]
  /** Aborts the attempt. The connector then rejects with `connection/aborted`. */
  signal: AbortSignal
  /** Receives the pairing URI to show as a QR code or link, and each renewed URI. */
  onUri?(uri: string): void
  /** Offers to sign in with the same approval (one-click sign-in), if the connector supports it. */
  signIn?: OneClickSignIn
}

/** A sign-in that is sent with the connection request. A wallet without support connects without it. */
export type OneClickSignIn = {
  /** The message to sign, without the account, which the wallet selects. */
  readonly message: SignInRequest
  /** Receives each message that the wallet signed. The connector verified it. Called before `connect` resolves. */
  signed(session: SignInSession): void
}

/** The reachability of a wallet whose transport can fail by itself, such as a relay socket. */
export type Reachability = { state: 'idle' | 'reaching' | 'ready' } | { state: 'unreachable'; error: LatchkeyError }

/**
 * Code that talks to one wallet. An adapter's discovery creates it (extensions), or the app (`walletConnect(…)`). Every
 * implementation passes `describeConnector` of `@latchkey/core/testing`.
 */
export type Connector = {
  /** Stable across reloads: the `rdns` of an extension, `walletConnect`, … */
  readonly id: string
  readonly name: string
  readonly type: ConnectorType
  /** A data URI, if there is an icon. */
  readonly icon?: string
  /** Reverse-DNS name (EIP-6963). */
  readonly rdns?: string
  readonly namespaces: readonly Namespace[]
  /** True if the page is opened inside of this wallet, which is then the first to choose from. */
  readonly isHost?: boolean
  /** The current reachability. The connector recovers by itself, so users never have to reconnect for it. */
  readonly reach?: { get(): Reachability; subscribe(listener: (reach: Reachability) => void): () => void }
  /**
   * Requests a connection. The user approves it in the wallet.
   *
   * @returns one connection per granted namespace
   * @throws LatchkeyError `connection/rejected`, `connection/aborted`, `wallet/unavailable`, `wallet/invalid-response`, `relay/unreachable`, …
   */
  connect(request: ConnectRequest): Promise<readonly [Connection, ...Connection[]]>
  /**
   * Restores an earlier connection without a prompt.
   *
   * @returns the connections that are still approved; an empty array if the wallet no longer knows the app
   * @throws LatchkeyError `wallet/locked` if the wallet reports it; any other error if the wallet can't tell. The
   * stored connection is kept then.
   */
  restore(request: Omit<ConnectRequest, 'onUri'>): Promise<readonly Connection[]>
  /**
   * Continues a connection request of an earlier page that the user may still approve. Phones discard a page while the
   * user is in the wallet app. Returns undefined at once if there is no such request.
   *
   * @returns the connections that the wallet granted; an empty array if it granted none
   */
  resume?(request: Pick<ConnectRequest, 'networks'>): Promise<readonly Connection[]> | undefined
  /** Ends the connection, and notifies the wallet if it supports that. */
  disconnect(): Promise<void>
  /**
   * Waits until a locked wallet is unlocked and shows its accounts again. Absent if the wallet does not report it.
   *
   * @returns a function that stops waiting; `undefined` if the wallet does not report it
   */
  watchUnlock?(unlocked: () => void): Promise<(() => void) | undefined>
  /** Restarts an abandoned login, for connectors that show one. */
  reload?(): void
  /** The logins before `connect`, for wallets with user accounts. */
  readonly login?: Login
}
