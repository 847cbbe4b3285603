import type { LatchkeyError, ChainId } from '@latchkey/protocol'
import type { DappOptions } from '../dapp/dapp.ts'
import type { Session } from '../session/session.ts'
import type { SessionNamespaces } from '../session/sessionNamespaces.ts'
import type { Emitter } from './emitter.ts'
import type { NamespaceEvents, NamespaceProvider } from './namespaceProvider.ts'
import type { RequestedNamespaces } from './requestedNamespaces.ts'
import type { RpcOptions, RpcRequest } from './rpcClient.ts'

export type UniversalProviderOptions = DappOptions & RpcOptions

/** The events of a session. Accounts and chain are those of the namespace that handles requests without a chain. */
export type UniversalEvents = NamespaceEvents & {
  /** A pairing URI to show as QR code or link. A new one replaces it before it expires. */
  display_uri: string
  /** A wallet settled a session. */
  connect: { chainId: string }
  /** The session is over: either side ended it, or it expired. */
  disconnect: LatchkeyError
  session_update: { topic: string; params: { namespaces: SessionNamespaces } }
  session_event: { topic: string; params: { event: { name: string; data: unknown }; chainId: ChainId } }
  /** The wallet or another tab ended the session, or it expired. */
  session_delete: { topic: string }
}

export type UniversalConnectRequest = {
  /** The namespaces to propose. Defaults to those of the app's `networks`. */
  namespaces?: RequestedNamespaces
  /** More namespaces. All are optional for the wallet. */
  optionalNamespaces?: RequestedNamespaces
  /** Aborts the attempt. */
  signal?: AbortSignal
}

/**
 * One session with a wallet, for all namespaces at once. Requests without a chain go to the first namespace, as in
 * EIP-1193, but with Latchkey's errors. `toEip1193` provides the standard's errors.
 */
export type UniversalProvider = Emitter<UniversalEvents> & {
  /** The current session. `undefined` before `connect` and after the end. */
  readonly session: Session | undefined
  /** The providers of the approved namespaces. */
  readonly namespaces: { readonly [namespace: string]: NamespaceProvider }
  /**
   * Asks a wallet for a session, which replaces the current one. The event `display_uri` carries the pairing URI.
   *
   * @throws LatchkeyError `connection/rejected`, `connection/aborted`, `connection/timed-out`, `session/invalid`,
   * `config/invalid`, `relay/refused`, `relay/unreachable`, `client/closed`
   * @example
   * universalProvider.on('display_uri', showQrCode)
   * await universalProvider.connect({ namespaces: { eip155: { chains: ['eip155:1'] } } })
   */
  connect(request?: UniversalConnectRequest): Promise<Session>
  /** Returns the addresses of the session. Connects if there is none. @throws LatchkeyError the errors of `connect` */
  enable(): Promise<readonly string[]>
  /**
   * Sends a request to the wallet, or to a node if the method only reads (EIP-1193, CAIP-27).
   *
   * @param chainId a CAIP-2 id. Defaults to the current chain of the first requested namespace.
   * @param expiry how long the wallet may take, in seconds
   * @throws LatchkeyError `connection/not-connected`, `namespace/not-configured`, `client/closed`, and the errors of
   * {@link NamespaceProvider}
   * @example
   * await universalProvider.request({ method: 'personal_sign', params: ['0x68690a', address] })
   * await universalProvider.request({ method: 'eth_getBalance', params: [address, 'latest'] }, 'eip155:10')
   */
  request(request: RpcRequest, chainId?: ChainId, expiry?: number): Promise<unknown>
  /**
   * Selects an approved chain in its namespace, without a request to the wallet: each request contains its chain.
   *
   * @param rpcUrl the preferred endpoint of the chain from now on
   * @throws LatchkeyError `connection/not-connected`, `namespace/not-configured`, `network/unsupported`, `config/invalid`
   */
  setDefaultChain(chainId: ChainId, rpcUrl?: string): void
  /** Ends the session here at once and notifies the wallet. */
  disconnect(): Promise<void>
  /** Ends all subscriptions. The session stays valid for the next page. Later calls throw `client/closed`. */
  close(): void
}
