import {
  parseAccountId,
  type AccountId,
  type ChainId,
  type Namespace,
  requestError,
  connectionError,
  walletError,
} from '@latchkey/protocol'
import type {
  AccountDetails,
  Connection,
  ConnectionListener,
  Connector,
  ConnectorType,
  ConnectRequest,
  EndReason,
  Provider,
} from '../contracts/connector.ts'
import type { Login } from '../contracts/login.ts'
import { createWalletProvider } from '../provider/createWalletProvider.ts'
import { fakeAccount } from './fakeNetwork.ts'
import { fakeHash, fakeSignature } from './fakeSignature.ts'

type Accounts = readonly [AccountId, ...AccountId[]]

export type FakeConnectorOptions = {
  id?: string
  name?: string
  type?: ConnectorType
  icon?: string
  rdns?: string
  namespaces?: readonly Namespace[]
  /**
   * The accounts that the wallet grants, in any of its namespaces. Defaults to one on each namespace's first network.
   */
  accounts?: readonly AccountId[]
  /** Returns the wallet's details of an account. */
  details?(account: AccountId): AccountDetails | undefined
  /** The chains that the wallet approved. Defaults to `'all'`. */
  approvedChains?: readonly ChainId[] | 'all'
  /** Rejects every connection with this error. */
  rejectWith?: Error
  /** Leaves connections pending until `approve` or `reject` is called, or the attempt is aborted. */
  neverResponds?: boolean
  /** Keeps the request pending after an abort, as some wallets do. */
  ignoresAbort?: boolean
  /** The pairing URIs: the first at once, the next with each `renew`. */
  uris?: readonly string[]
  /** True if the user consented before the page was loaded; `'never responds'` for a locked wallet. */
  restores?: boolean | 'never responds' | Error
  /** The login of an embedded wallet. */
  login?: Login
}

/** A wallet that a test controls. It records its requests. */
export type FakeConnector = Connector & {
  /** The connection requests so far. */
  readonly connectRequests: readonly ConnectRequest[]
  /** The provider requests so far. */
  readonly requests: ReadonlyArray<{ method: string; params: unknown }>
  /** Number of calls of `restore`, `disconnect` and `reload`. */
  readonly calls: { restore: number; disconnect: number; reload: number }
  /** Approves the pending connections. */
  approve(): void
  /** Rejects the pending connections, by default as the user would. */
  reject(error?: Error): void
  /** Sends the next pairing URI. */
  renew(): void
  /** Selects other accounts in the wallet, all of one namespace. */
  emitAccounts(accounts: Accounts): void
  /** Selects another chain in the wallet. */
  emitChain(chainId: ChainId): void
  /** Disconnects in the wallet, for one namespace or all, optionally with a reason. */
  leave(namespace?: Namespace, reason?: EndReason): void
  /** Makes a provider method, `disconnect` or `restore` fail from now on. Undefined repairs it. */
  fail(what: string, error: Error | undefined): void
}

/**
 * Creates a wallet that grants every request by default.
 *
 * @example
 * const connector = fakeConnector({ neverResponds: true })
 * const connecting = connect(latchkey, connector.id)
 * connector.approve()
 */
export function fakeConnector(options: FakeConnectorOptions = {}): FakeConnector {
  const { id = 'fake', name = 'Fake Wallet', type = 'injected', namespaces = ['eip155'] } = options
  const wallet = fakeWallet(id, name, options)
  const pending = createPendingConnections(options, (request) => wallet.grant(namespaces, request))
  const connectRequests: ConnectRequest[] = []
  const calls = { restore: 0, disconnect: 0, reload: 0 }

  return {
    id,
    name,
    type,
    icon: options.icon,
    rdns: options.rdns,
    namespaces,
    login: options.login,
    connectRequests,
    requests: wallet.requests,
    calls,
    async connect(request) {
      connectRequests.push(request)
      if (request.signal.aborted && options.ignoresAbort !== true) throw connectionError('connection/aborted', {})
      const [uri] = options.uris ?? []
      if (uri !== undefined) request.onUri?.(uri)
      if (options.rejectWith !== undefined) throw options.rejectWith
      return options.neverResponds === true ? pending.add(request) : wallet.grant(namespaces, request)
    },
    async restore(request) {
      calls.restore += 1
      const { restores } = options
      wallet.throwIfConfigured('restore')
      if (restores instanceof Error) throw restores
      if (restores === 'never responds') return new Promise<never>(() => {})
      return wallet.consents() ? wallet.grant(namespaces, request) : []
    },
    async disconnect() {
      calls.disconnect += 1
      wallet.throwIfConfigured('disconnect')
      wallet.forget()
    },
    reload: () => void (calls.reload += 1),
    approve: pending.approve,
    reject: (error = connectionError('connection/rejected', { wallet: name })) => pending.reject(error),
    renew: pending.renew,
    emitAccounts: wallet.emitAccounts,
    emitChain: wallet.emitChain,
    leave: wallet.leave,
    fail: wallet.fail,
  }
}

type Connections = readonly [Connection, ...Connection[]]

type PendingConnections = Pick<FakeConnector, 'approve' | 'renew'> & {
  add(request: ConnectRequest): Promise<Connections>
  reject(error: Error): void
}

/** The connection requests that wait for the user. */
function createPendingConnections(
  { ignoresAbort = false, uris = [] }: FakeConnectorOptions,
  grant: (request: ConnectRequest) => Connections,
): PendingConnections {
  const waiting = new Set<{
    request: ConnectRequest
    resolve: (granted: Connections) => void
    reject: (error: Error) => void
  }>()
  let shown = 0

  return {
    add: (request) =>
      new Promise<Connections>((resolve, reject) => {
        const entry = { request, resolve, reject }
        waiting.add(entry)
        if (ignoresAbort) return
        const onAbort = (): void => void (waiting.delete(entry) && reject(connectionError('connection/aborted', {})))
        request.signal.addEventListener('abort', onAbort, { once: true })
      }),
    approve() {
      for (const entry of waiting) entry.resolve(grant(entry.request))
      waiting.clear()
    },
    reject(error) {
      for (const entry of waiting) entry.reject(error)
      waiting.clear()
    },
    renew() {
      shown += 1
      const uri = uris[shown]
      if (uri !== undefined) for (const { request } of waiting) request.onUri?.(uri)
    },
  }
}

type FakeWallet = Pick<FakeConnector, 'requests' | 'emitAccounts' | 'emitChain' | 'leave' | 'fail'> & {
  grant(namespaces: readonly Namespace[], request: Pick<ConnectRequest, 'networks'>): Connections
  consents(): boolean
  forget(): void
  throwIfConfigured(what: string): void
}

/** The wallet behind a fake connector: its connections, listeners and provider. */
function fakeWallet(id: string, name: string, options: FakeConnectorOptions): FakeWallet {
  const requests: Array<{ method: string; params: unknown }> = []
  const failures = new Map<string, Error>()
  const events = createWalletEvents()
  const respond = createResponder(id, events.emitChain)
  let consented = options.restores === true

  const throwIfConfigured = (what: string): void => {
    const error = failures.get(what)
    if (error !== undefined) throw error
  }
  const request: Provider['request'] = async ({ method, params }) => {
    requests.push({ method, params })
    if (!consented) throw walletError('wallet/unavailable', { wallet: name })
    throwIfConfigured(method)
    return respond(method, Array.isArray(params) ? params : [])
  }
  const connectionOf = (namespace: Namespace, accounts: Accounts): Connection => {
    const { chainId } = parseAccountId(accounts[0])
    const listen: Connection['listen'] = (listener) => events.listen(namespace, listener)
    return {
      namespace,
      accounts,
      chainId,
      approvedChains: options.approvedChains ?? 'all',
      details: options.details,
      wallet: { name, icon: options.icon },
      ...(namespace === 'eip155'
        ? createWalletProvider({ request, accounts, chainId, listen })
        : { provider: { request }, listen }),
    }
  }

  return {
    requests,
    throwIfConfigured,
    emitAccounts: events.emitAccounts,
    emitChain: events.emitChain,
    consents: () => consented,
    forget: () => void (consented = false),
    grant(namespaces, { networks }) {
      const granted = namespaces.flatMap((namespace) => {
        const [first, ...others] = accountsOf(namespace, networks, options.accounts)
        return first === undefined ? [] : [connectionOf(namespace, [first, ...others])]
      })
      const [first, ...others] = granted
      if (first === undefined) throw connectionError('session/invalid', { reason: 'there is no account to grant' })
      consented = true
      return [first, ...others]
    },
    leave(namespace, reason) {
      if (namespace === undefined) consented = false
      events.emitDisconnect(namespace, reason)
    },
    fail: (what, error) => void (error === undefined ? failures.delete(what) : failures.set(what, error)),
  }
}

type WalletEvents = Pick<FakeConnector, 'emitAccounts' | 'emitChain'> & {
  listen(namespace: Namespace, listener: ConnectionListener): () => void
  emitDisconnect(namespace: Namespace | undefined, reason: EndReason | undefined): void
}

/** The listeners of a wallet's connections. */
function createWalletEvents(): WalletEvents {
  const listeners = new Map<Namespace, Set<ConnectionListener>>()

  const listenersOf = (namespace: Namespace): Set<ConnectionListener> => {
    const present = listeners.get(namespace) ?? new Set<ConnectionListener>()
    listeners.set(namespace, present)
    return present
  }
  return {
    listen(namespace, listener) {
      listenersOf(namespace).add(listener)
      return () => void listenersOf(namespace).delete(listener)
    },
    emitAccounts(accounts) {
      const { namespace } = parseAccountId(accounts[0])
      for (const listener of listenersOf(namespace)) listener.accountsChanged(accounts)
    },
    emitChain(chainId) {
      for (const [namespace, subscribers] of listeners) {
        if (!chainId.startsWith(`${namespace}:`)) continue
        for (const listener of subscribers) listener.chainChanged(chainId)
      }
    },
    emitDisconnect(namespace, reason) {
      for (const [name, subscribers] of listeners) {
        if (namespace !== undefined && name !== namespace) continue
        for (const listener of subscribers) listener.disconnected(reason)
      }
    },
  }
}

/** Creates the function that executes the provider requests of a wallet. */
function createResponder(
  id: string,
  switchChain: (chainId: ChainId) => void,
): (method: string, params: readonly unknown[]) => unknown {
  let sent = 0
  return (method, [first, second]) => {
    switch (method) {
      case 'signMessage':
        return fakeSignature(addressOf(first), String(second))
      case 'sendTransaction':
        sent += 1
        return fakeHash(id, sent)
      case 'switchNetwork':
        // Only the fake adapter sends this method, with a chain id.
        return switchChain(first as ChainId)
      default:
        throw requestError('request/failed', { method, code: -32601, reason: 'there is no such method' })
    }
  }
}

function accountsOf(
  namespace: Namespace,
  networks: ConnectRequest['networks'],
  accounts: readonly AccountId[] | undefined,
): readonly AccountId[] {
  if (accounts !== undefined) return accounts.filter((account) => parseAccountId(account).namespace === namespace)
  const network = networks.find((candidate) => candidate.chainNamespace === namespace)
  return network === undefined ? [] : [fakeAccount(network.caipNetworkId)]
}

function addressOf(account: unknown): string {
  return parseAccountId(String(account)).address
}
