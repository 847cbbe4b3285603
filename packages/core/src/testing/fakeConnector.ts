import {
  LatchkeyError,
  parseAccountId,
  type AccountId,
  type ChainId,
  type Namespace,
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
  const { id = 'fake', name = 'Fake Wallet', type = 'injected', namespaces = ['eip155'], uris = [] } = options
  const wallet = fakeWallet(id, name, options)
  const connectRequests: ConnectRequest[] = []
  const calls = { restore: 0, disconnect: 0, reload: 0 }
  const waiting = new Set<{
    request: ConnectRequest
    resolve: (granted: Connections) => void
    reject: (error: Error) => void
  }>()
  let shown = 0

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
      if (request.signal.aborted && options.ignoresAbort !== true) throw new LatchkeyError('connection/aborted', {})
      const [uri] = uris
      if (uri !== undefined) request.onUri?.(uri)
      if (options.rejectWith !== undefined) throw options.rejectWith
      if (options.neverResponds !== true) return wallet.grant(namespaces, request)
      return new Promise<Connections>((resolve, reject) => {
        const entry = { request, resolve, reject }
        waiting.add(entry)
        if (options.ignoresAbort === true) return
        const onAbort = (): void => void (waiting.delete(entry) && reject(new LatchkeyError('connection/aborted', {})))
        request.signal.addEventListener('abort', onAbort, { once: true })
      })
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
    approve() {
      for (const entry of waiting) entry.resolve(wallet.grant(namespaces, entry.request))
      waiting.clear()
    },
    reject(error = new LatchkeyError('connection/rejected', { wallet: name })) {
      for (const entry of waiting) entry.reject(error)
      waiting.clear()
    },
    renew() {
      shown += 1
      const uri = uris[shown]
      if (uri !== undefined) for (const { request } of waiting) request.onUri?.(uri)
    },
    emitAccounts: wallet.emitAccounts,
    emitChain: wallet.emitChain,
    leave: wallet.leave,
    fail: wallet.fail,
  }
}

type Connections = readonly [Connection, ...Connection[]]

type FakeWallet = Pick<FakeConnector, 'requests' | 'emitAccounts' | 'emitChain' | 'leave' | 'fail'> & {
  grant(namespaces: readonly Namespace[], request: Pick<ConnectRequest, 'networks'>): Connections
  consents(): boolean
  forget(): void
  throwIfConfigured(what: string): void
}

/** The wallet behind a fake connector: its connections, listeners and provider. */
function fakeWallet(id: string, name: string, options: FakeConnectorOptions): FakeWallet {
  const requests: Array<{ method: string; params: unknown }> = []
  const listeners = new Map<Namespace, Set<ConnectionListener>>()
  const failures = new Map<string, Error>()
  let consented = options.restores === true
  let sent = 0

  const listenersOf = (namespace: Namespace): Set<ConnectionListener> => {
    const present = listeners.get(namespace) ?? new Set<ConnectionListener>()
    listeners.set(namespace, present)
    return present
  }
  const throwIfConfigured = (what: string): void => {
    const error = failures.get(what)
    if (error !== undefined) throw error
  }
  const emitChain = (chainId: ChainId): void => {
    for (const [namespace, subscribers] of listeners) {
      if (!chainId.startsWith(`${namespace}:`)) continue
      for (const listener of subscribers) listener.chainChanged(chainId)
    }
  }
  const respond = (method: string, params: readonly unknown[]): unknown => {
    const [first, second] = params
    switch (method) {
      case 'signMessage':
        return fakeSignature(addressOf(first), String(second))
      case 'sendTransaction':
        sent += 1
        return fakeHash(id, sent)
      case 'switchNetwork':
        // Only the fake adapter sends this method, with a chain id.
        return emitChain(first as ChainId)
      default:
        throw new LatchkeyError('request/failed', { method, code: -32601, reason: 'there is no such method' })
    }
  }
  const connectionOf = (namespace: Namespace, accounts: Accounts): Connection => {
    const { chainId } = parseAccountId(accounts[0])
    const request: Provider['request'] = async ({ method, params }) => {
      requests.push({ method, params })
      if (!consented) throw walletError('wallet/unavailable', { wallet: name })
      throwIfConfigured(method)
      return respond(method, Array.isArray(params) ? params : [])
    }
    const listen: Connection['listen'] = (listener) => {
      listenersOf(namespace).add(listener)
      return () => void listenersOf(namespace).delete(listener)
    }
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
    emitChain,
    consents: () => consented,
    forget: () => void (consented = false),
    grant(namespaces, { networks }) {
      const granted = namespaces.flatMap((namespace) => {
        const [first, ...others] = accountsOf(namespace, networks, options.accounts)
        return first === undefined ? [] : [connectionOf(namespace, [first, ...others])]
      })
      const [first, ...others] = granted
      if (first === undefined) throw new LatchkeyError('session/invalid', { reason: 'there is no account to grant' })
      consented = true
      return [first, ...others]
    },
    emitAccounts(accounts) {
      const { namespace } = parseAccountId(accounts[0])
      for (const listener of listenersOf(namespace)) listener.accountsChanged(accounts)
    },
    leave(namespace, reason) {
      if (namespace === undefined) consented = false
      for (const [name, subscribers] of listeners) {
        if (namespace !== undefined && name !== namespace) continue
        for (const listener of subscribers) listener.disconnected(reason)
      }
    },
    fail: (what, error) => void (error === undefined ? failures.delete(what) : failures.set(what, error)),
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
